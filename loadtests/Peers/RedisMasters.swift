import Foundation
import Processes

/// A Redis Cluster of our own on ports of this machine: masters with even shares of the slots, without replicas and
/// without files of data.
final class RedisMasters: Sendable {
    private static let slots = 16_384

    private let directory: String
    private let ports: [Int]
    private let processes: [ChildProcess]

    init(_ count: Int) throws {
        directory = try Scratch.directory("redis-cluster")
        ports = try (0..<count).map { _ in try FreePort.take() }
        let buses = try (0..<count).map { _ in try FreePort.take() }
        let program = try Program.find("redis-server")
        var processes: [ChildProcess] = []
        for (port, bus) in zip(ports, buses) {
            processes.append(
                try ChildProcess(
                    program,
                    [
                        "--port", "\(port)", "--bind", "127.0.0.1", "--cluster-enabled", "yes", "--cluster-port",
                        "\(bus)", "--cluster-config-file", "nodes-\(port).conf", "--save", "", "--appendonly", "no",
                        "--dir", directory, "--logfile", "\(directory)/\(port).log",
                    ]))
        }
        self.processes = processes
        do {
            for index in 0..<count {
                try waitUntil { try self.ask(index, "PING").hasPrefix("PONG") }
                let (first, end) = (index * Self.slots / count, (index + 1) * Self.slots / count)
                try ask(index, "CLUSTER", "ADDSLOTSRANGE", "\(first)", "\(end - 1)")
                if index > 0 { try ask(index, "CLUSTER", "MEET", "127.0.0.1", "\(ports[0])", "\(buses[0])") }
            }
            for index in 0..<count {
                try waitUntil {
                    let info = try self.ask(index, "CLUSTER", "INFO")
                    return info.contains("cluster_state:ok") && info.contains("cluster_known_nodes:\(count)")
                }
            }
        } catch {
            stop()
            throw error
        }
    }

    /// The address for graphd.
    var address: String { "redis-cluster://" + ports.map { "127.0.0.1:\($0)" }.joined(separator: ",") }

    func processorSeconds() throws -> Double {
        try processes.reduce(0) { try $0 + ProcessUsage(of: $1.pid).cpuSeconds }
    }

    func stop() {
        for process in processes { process.stop(signal: SIGKILL) }
        try? FileManager.default.removeItem(atPath: directory)
    }

    @discardableResult
    private func ask(_ index: Int, _ words: String...) throws -> String {
        try Program.run(Program.find("redis-cli"), ["-p", "\(ports[index])"] + words, accepting: [0, 1])
    }

    private func waitUntil(_ condition: () throws -> Bool) throws {
        let deadline = ContinuousClock.now + .seconds(30)
        while try !condition() {
            guard ContinuousClock.now < deadline else {
                throw Program.Failure(description: "the Redis Cluster did not become ready")
            }
            usleep(50_000)
        }
    }
}
