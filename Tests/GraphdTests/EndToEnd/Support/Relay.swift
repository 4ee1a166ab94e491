import Foundation
import Glibc
import Synchronization
import TestSupport

/// A TCP relay between clients and a server. It runs on threads of its own, so that a test can act between a request
/// and its answer, however busy the machine is.
final class Relay: Sendable {
    enum Direction: Sendable { case request, answer }
    /// A callback for each piece before it is passed on. Returning false ends the connection instead.
    typealias Watcher = @Sendable (_ piece: ArraySlice<UInt8>, _ direction: Direction) -> Bool

    let port: Int
    private let listener: Int32

    init(to server: Int, watcher: @escaping Watcher) throws {
        (listener, port) = try LocalSocket.listenTCP()
        Thread.detachNewThread { [listener] in
            // `shutdown` of the listener ends the loop.
            while case let client = accept(listener, nil, nil), client >= 0 {
                guard let upstream = try? LocalSocket.connectTCP(port: server) else {
                    close(client)
                    continue
                }
                Self.join(client, upstream, watcher)
            }
            close(listener)
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    private static func join(_ client: Int32, _ upstream: Int32, _ watcher: @escaping Watcher) {
        // The last of the two threads closes both sockets, because the other one may use them until then.
        let ends = SharedEnds()
        for (source, target, direction) in [(client, upstream, Direction.request), (upstream, client, .answer)] {
            Thread.detachNewThread {
                pass(from: source, to: target) { watcher($0, direction) }
                for end in [source, target] { shutdown(end, Int32(SHUT_RDWR)) }
                guard ends.users.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
                for end in [source, target] { close(end) }
            }
        }
    }

    private final class SharedEnds: Sendable { let users = Atomic(2) }

    /// Returns when either side has closed, or as soon as `mayPass` returns false.
    private static func pass(from source: Int32, to target: Int32, where mayPass: (ArraySlice<UInt8>) -> Bool) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = recv(source, &buffer, buffer.count, 0), count > 0 {
            guard mayPass(buffer[..<count]), LocalSocket.send(buffer[..<count], over: target) else { return }
        }
    }
}
