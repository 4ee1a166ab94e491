import AsyncHTTPClient
import Foundation
import GraphdClient
import Processes
import Synchronization

/// A graphd, usually started by this program on a data directory of its own.
final class Server: Sendable {
    let base: String
    let port: Int
    let client: GraphdClient
    let directory: String
    /// The child process; nil for a server that others started.
    private let child: ChildProcess?
    let process: Int32
    private let graphd: String
    /// The options that name its data: the data directory, and the database if a PostgreSQL server holds it.
    private let place: [String]
    /// The option that names its Redis, for commands that look at windows.
    private let windows: [String]

    /// Starts `graphd serve` on `directory`, on a free port, and waits until it answers.
    ///
    /// - Parameters:
    ///   - database: the address of a PostgreSQL database; nil for the file in the directory.
    ///   - redis: the address of an outside Redis; nil for a private one.
    ///   - withRedis: false if it does not wait for Redis.
    ///   - limitsRates: keeps the default rate limits, which a load would reach; any build of graphd accepts it.
    init(
        graphd: String, directory: String, database: String? = nil, redis: String? = nil, arguments: [String] = [],
        withRedis: Bool = true, limitsRates: Bool = false
    ) async throws {
        self.graphd = graphd
        windows = redis.map { ["--redis", $0] } ?? []
        place = Self.place(directory, database)
        self.directory = directory
        port = try FreePort.take()
        base = "http://127.0.0.1:\(port)"
        client = try .measuring(base, over: Self.http)
        let child = try ChildProcess(
            graphd,
            ["serve", "--port", "\(port)", "--log-level", "critical"] + place + windows
                + (limitsRates ? [] : ["--limits", "off"]) + arguments)
        self.child = child
        process = child.pid
        do {
            try await waitUntilReady(withRedis: withRedis)
        } catch {
            child.stop()
            throw error
        }
    }

    /// Uses the server that answers at `port` of this machine and serves `directory`. It is not stopped by this
    /// program.
    init(runningAt port: Int, graphd: String, directory: String) async throws {
        self.graphd = graphd
        windows = []
        place = Self.place(directory, nil)
        self.directory = directory
        self.port = port
        base = "http://127.0.0.1:\(port)"
        client = try .measuring(base, over: Self.http)
        child = nil
        process = try ServedDirectory.process(of: directory)
        do {
            _ = try await client.operations.readiness()
        } catch {
            throw Program.Failure(description: "no graphd answers at \(base): \(error)")
        }
    }

    static func place(_ directory: String, _ database: String?) -> [String] {
        ["--data-dir", directory] + (database.map { ["--database", $0] } ?? [])
    }

    /// The HTTP client of closed loops until this program ends, with as many concurrent connections as they have
    /// clients.
    private static let http = HTTPClient(
        eventLoopGroupProvider: .singleton, configuration: .measuring(connections: 1_024, read: .seconds(30)))

    func token(_ username: String) throws -> String {
        try Program.run(graphd, ["token", username] + place)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Returns tokens in the order of `usernames`.
    func tokens(_ usernames: [String]) throws -> [String] {
        let names = directory + "/names-\(UUID().uuidString)"
        try usernames.joined(separator: "\n").write(toFile: names, atomically: false, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: names) }
        let lines = try Program.run(graphd, ["token", "--names", names] + place)
        return lines.split(separator: "\n").map(String.init)
    }

    /// Runs a command of graphd on the data directory.
    @discardableResult
    func command(_ arguments: [String], accepting statuses: Set<Int32> = [0]) throws -> String {
        try Program.run(graphd, arguments + place, accepting: statuses)
    }

    func stop() { child?.stop() }

    /// Ends it with SIGKILL.
    func kill() { child?.stop(signal: SIGKILL) }

    func usage() throws -> ProcessUsage { try ProcessUsage(of: process) }

    /// Returns the processor time of it and of its private Redis, if that runs.
    func processorSeconds() throws -> Double {
        guard hasPrivateRedis else { return try usage().cpuSeconds }
        return try usage().cpuSeconds + ProcessUsage(of: redis().process).cpuSeconds
    }

    var hasPrivateRedis: Bool { FileManager.default.fileExists(atPath: directory + "/redis.sock") }

    /// Returns the counts of the private Redis.
    func redis() throws -> RedisInfo { try RedisInfo(socket: directory + "/redis.sock") }

    struct WindowStatistics: Decodable {
        let bytesPerWindow: Double
        let bytesPerEntry: Double
    }

    func windowStatistics() throws -> WindowStatistics {
        let text = try command(["timelines", "stats", "--json"])
        return try JSONDecoder().decode(WindowStatistics.self, from: Data(text.utf8))
    }

    /// Compares every window with SQLite, once no work is in progress.
    func verification() async throws -> Verification {
        try await client.waitUntilOutboxIsEmpty()
        let text = try command(["timelines", "verify", "--all", "--json"] + windows, accepting: [0, 1])
        let found = try JSONDecoder().decode(Verification.self, from: Data(text.utf8))
        Progress.say("verified: \(found.summary)")
        return found
    }

    /// Fails unless every window agrees with SQLite.
    func verify() async throws {
        let found = try await verification()
        guard found.isClean else { throw Program.Failure(description: "wrong timelines: \(found.summary)") }
    }

    private func waitUntilReady(withRedis: Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(300)
        while ContinuousClock.now < deadline {
            if let ready = try? await client.operations.readiness(), ready.redis == .up || !withRedis { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw Program.Failure(description: "graphd did not become ready")
    }
}

/// A throwaway directory.
enum Scratch {
    private static let made = Atomic(0)

    static func directory(_ name: String) throws -> String {
        let number = made.add(1, ordering: .relaxed).newValue
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("graphd-load-\(name)-\(ProcessInfo.processInfo.processIdentifier)-\(number)").path
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }
}
