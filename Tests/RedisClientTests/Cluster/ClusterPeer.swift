import Foundation
import Glibc
import Synchronization
import TestSupport

@testable import RedisClient

/// A scripted node of a cluster, which serves any number of connections at a time.
final class ClusterPeer: Sendable {
    /// The reply to a command, as bytes of the protocol; nil closes the connection.
    typealias Answer = @Sendable (_ command: [String], _ peer: ClusterPeer) -> String?

    let port: Int
    private let listener: Int32
    private let seen = Mutex<[[String]]>([])

    /// - Parameter answer: asked before the usual answers of a healthy master of all slots; "" for the usual one.
    init(_ answer: @escaping Answer) throws {
        (listener, port) = try LocalSocket.listenTCP()
        Thread.detachNewThread { [listener, weak self] in
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { break }
                Thread.detachNewThread { [weak self] in
                    let client = FakePeer.Client(descriptor)
                    while let command = try? client.command(), let self {
                        self.seen.withLock { $0.append(command) }
                        let text = answer(command, self)
                        guard let text, (try? client.write(text.isEmpty ? self.usual(command) : text)) != nil else {
                            break
                        }
                    }
                    client.close()
                }
            }
            close(listener)
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    var endpoint: RedisConfiguration.Endpoint { .tcp(host: "127.0.0.1", port: port) }

    /// Commands that are no part of a handshake or a map.
    var commands: [[String]] {
        seen.withLock { $0.filter { !["AUTH", "PING", "INFO", "CLUSTER"].contains($0[0]) } }
    }

    /// Returns once the peer has got `command` at least `times` times.
    func waitFor(_ command: [String], times: Int = 1) async {
        while count(command) < times { await Task.yield() }
    }

    func count(_ command: [String]) -> Int { seen.withLock { $0.filter { $0 == command }.count } }

    /// An answer to CLUSTER SLOTS of a single master.
    static func map(_ host: String?, _ port: Int, _ runs: [(Int, Int)] = [(0, 16_383)]) -> String {
        let name = host.map { "$\($0.utf8.count)\r\n\($0)\r\n" } ?? "$-1\r\n"
        return "*\(runs.count)\r\n"
            + runs.map { "*3\r\n:\($0.0)\r\n:\($0.1)\r\n*4\r\n\(name):\(port)\r\n$2\r\nid\r\n*0\r\n" }.joined()
    }

    private func usual(_ command: [String]) -> String {
        func bulk(_ text: String) -> String { "$\(text.utf8.count)\r\n\(text)\r\n" }
        return switch command {
        case ["INFO", "server"]: bulk("run_id:run\r\nprocess_id:1\r\n")
        case ["INFO", "replication"]: bulk("# Replication\r\nrole:master\r\nmaster_replid:\(port)\r\n")
        case ["CLUSTER", "INFO"]: bulk("cluster_state:ok\r\ncluster_current_epoch:1\r\ncluster_my_epoch:1\r\n")
        case ["CLUSTER", "SLOTS"]: Self.map(nil, port)
        default: command.count > 1 ? bulk(command[1]) : "+OK\r\n"
        }
    }
}
