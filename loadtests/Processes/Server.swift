import Foundation
import GraphAPI

/// A graphd of our own on a data directory of its own.
final class Server: Sendable {
    let base: String
    let directory: String
    private let child: Child
    private let graphd: String

    /// Starts `graphd serve` on `directory` and waits until it answers.
    init(graphd: String, directory: String, port: Int, arguments: [String] = []) async throws {
        self.graphd = graphd
        self.directory = directory
        base = "http://127.0.0.1:\(port)"
        child = try Child(
            graphd, ["serve", "--data-dir", directory, "--port", "\(port)", "--log-level", "error"] + arguments)
        try await waitUntilReady()
    }

    var client: GraphClient { GraphClient(base: base) }

    func token(_ username: String) throws -> String {
        try Program.run(graphd, ["token", username, "--data-dir", directory])
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// In the order of `usernames`.
    func tokens(_ usernames: [String]) throws -> [String] {
        let names = directory + "/names-\(UUID().uuidString)"
        try usernames.joined(separator: "\n").write(toFile: names, atomically: false, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: names) }
        let lines = try Program.run(graphd, ["token", "--names", names, "--data-dir", directory])
        return lines.split(separator: "\n").map(String.init)
    }

    /// Runs a command of graphd on the data directory.
    @discardableResult
    func command(_ arguments: [String]) throws -> String {
        try Program.run(graphd, arguments + ["--data-dir", directory])
    }

    func stop() { child.stop() }

    func usage() throws -> ProcessUsage { try ProcessUsage(of: child.identifier) }

    /// The private Redis.
    func redis() throws -> RedisInfo { try RedisInfo(socket: directory + "/redis.sock") }

    /// Fails unless every window is what SQLite says.
    func verify() async throws {
        try await client.waitUntilSettled()
        Progress.say("verified: " + (try command(["timelines", "verify", "--all", "--json"])))
    }

    private func waitUntilReady() async throws {
        let deadline = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < deadline {
            if let ready = try? await client.readiness(), ready.redis == "up" { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw Program.Failure(description: "graphd did not become ready")
    }
}

/// A throwaway directory.
enum Scratch {
    static func directory(_ name: String) throws -> String {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("graphd-load-\(name)-\(ProcessInfo.processInfo.processIdentifier)").path
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }
}
