import AsyncHTTPClient
import Database
import Foundation
import Glibc
import Logging
import Moderation
import NIOCore
import PostgreSQL
import ServiceTestSupport
import Sessions
import SocialGraph
import Synchronization
import TestSupport
import Testing

@testable import CommandSupport
@testable import GraphServices
@testable import RedisClient
@testable import StrictJSON
@testable import Timeline

/// A server over a data directory of one test. It can be stopped and restarted on the same data, and is gone with its
/// redis-server when the test ends, however it ends.
final class GraphdServer: Sendable {
    /// The process in which the server runs.
    enum Place: Sendable {
        /// In the process of the tests.
        case here
        /// In a process of its own, the real `graphd serve`: for tests of what only a process has, such as signals, a
        /// crash, exit status and standard error.
        case process

        /// The place of servers whose tests work in both: a process, unless `GRAPHD_TESTS_IN_PROCESS` is set to 1.
        static let either: Place =
            ProcessInfo.processInfo.environment["GRAPHD_TESTS_IN_PROCESS"] == "1" ? .here : .process
    }

    private enum Run {
        case task(ServingTask)
        case process(GraphdProcess)

        var lines: [String] {
            switch self {
            case .task(let task): task.lines
            case .process(let process): process.lines
            }
        }
    }

    private struct State {
        var run: Run?
        var port = 0
        var lines: [String] = []
    }

    let directory: DataDirectory
    /// The same database, opened beside the server like maintenance commands do.
    let graph: GraphStore
    let tokens: TokenIssuer
    private let http: HTTPClient
    private let place: Place
    private let arguments: [String]
    private let storage: Storage
    private let state = Mutex(State())
    private let people = Atomic<Int>(0)

    /// The places of a server's data.
    struct Storage: Sendable {
        /// The address of a PostgreSQL database, as on the command line; nil: a file of the data directory.
        var database: String?
        /// A data directory that is kept; nil: a temporary one.
        var directory: String?
    }

    /// Opens the database of the test. A shared PostgreSQL server may be busier for a moment than callers are patient.
    private static func opened(_ directory: DataDirectory) throws -> GraphStore {
        let loss = "connection to the database was lost"
        for _ in 0..<5 {
            do { return try directory.openGraph() } catch let failure where "\(failure)".contains(loss) { continue }
        }
        return try directory.openGraph()
    }

    private init(_ arguments: [String], _ place: Place, _ storage: Storage) async throws {
        self.storage = storage
        let path = storage.directory ?? temporaryPath("graphd")
        directory = try DataDirectory.create(
            at: path, server: storage.database.map { try DatabaseServer(parsing: $0, isArgument: true) })
        if storage.database == nil { try EmptyGraph.create(at: directory.database) }
        graph = try Self.opened(directory)
        let keys = try await TokenKeyPlace.open(
            directory: path, graph.database, isOnServer: storage.database != nil)
        tokens = TokenIssuer(keys: try await TokenKeys(in: keys))
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        // It limits also how long a request waits for a connection of the pool.
        configuration.timeout.connect = .seconds(120)
        // A server that is gone refuses connections at once, and tests wait for that.
        configuration.connectionPool.retryConnectionEstablishment = false
        http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        self.arguments = arguments
        self.place = place
    }

    /// Runs `body` with a server that has not been started yet, so that its data directory can be filled first.
    static func prepared<T>(
        _ arguments: [String] = [], in place: Place = .either, on storage: Storage = Storage(),
        _ body: (GraphdServer) async throws -> T
    ) async throws -> T {
        let server = try await GraphdServer(arguments, place, storage)
        do {
            let value = try await body(server)
            await server.remove()
            return value
        } catch {
            await server.remove()
            throw error
        }
    }

    /// Runs `body` with a server that accepts requests.
    static func running<T>(
        _ arguments: [String] = [], in place: Place = .either, on storage: Storage = Storage(),
        _ body: (GraphdServer) async throws -> T
    ) async throws -> T {
        try await prepared(arguments, in: place, on: storage) { server in
            try await server.start()
            return try await body(server)
        }
    }

    /// Flags without rate limits and without time limits that a slow machine could reach. `arguments` come last and
    /// win.
    var serveArguments: [String] {
        [
            "serve", "--port", "0", "--log-level", "debug", "--limits", "off",
            "--header-timeout", "60m", "--body-timeout", "60m", "--idle-timeout", "60m",
        ] + storageArguments + arguments
    }
    /// The flags of every command that name the server's data.
    var storageArguments: [String] {
        ["--data-dir", directory.path] + (storage.database.map { ["--database", $0] } ?? [])
    }
    var port: Int { state.withLock { $0.port } }
    /// Log lines of all runs.
    var logLines: [String] { state.withLock { $0.lines + ($0.run?.lines ?? []) } }
    var redis: RedisConfiguration { RedisConfiguration(endpoint: .unix(path: directory.redisSocket)) }
    /// The same with time-outs that a busy machine does not reach, for questions of tests.
    var patientRedis: RedisConfiguration { redis.patient }

    /// Starts the server and returns once it listens. The last of repeated flags counts, so `more` overrides the
    /// server's own arguments.
    func start(_ more: [String] = []) async throws {
        switch place {
        case .process: try await listen(GraphdProcess(serveArguments + more))
        case .here:
            let task = try await ServingTask(Array(serveArguments.dropFirst()) + more)
            state.withLock { ($0.run, $0.port) = (.task(task), task.port) }
        }
    }

    /// Starts the server like ``start(_:)``, in a process that may open `limit` files.
    func start(fileDescriptors limit: Int) async throws {
        let script = #"ulimit -n "$1" && shift && exec "$0" "$@""#
        try await listen(
            GraphdProcess(
                ["-c", script, GraphdProcess.executable, String(limit)] + serveArguments, executable: "/bin/sh"))
    }

    /// Starts the server like ``start(_:)``, in a process that looks for programs in the directories `path`.
    func start(path: String) async throws {
        let script = #"export PATH="$1" && shift && exec "$0" "$@""#
        try await listen(
            GraphdProcess(["-c", script, GraphdProcess.executable, path] + serveArguments, executable: "/bin/sh"))
    }

    /// Returns once the process listens; on which port, it says in its log.
    private func listen(_ process: GraphdProcess) async throws {
        state.withLock { $0.run = .process(process) }
        let line = try await process.line { $0.contains("\"message\":\"listening\"") }
        let port = try JSONReader.read(Array(line.utf8))["port"]?.text.flatMap { Int($0) } ?? 0
        state.withLock { $0.port = port }
    }

    /// Shuts the server down, a process with SIGTERM, and returns how it ended.
    @discardableResult
    func stop() async -> GraphdProcess.End? {
        guard case .task(let task) = state.withLock({ $0.run }) else { return await end(SIGTERM) }
        var end = GraphdProcess.End.exited(0)
        do {
            try await task.stop()
        } catch {
            Issue.record(error, "the server has failed")
            end = .exited(1)
        }
        forget(.task(task))
        return end
    }

    private func forget(_ run: Run) {
        state.withLock { state in
            state.lines += run.lines
            state.run = nil
        }
    }

    /// Returns once no redis-server of this data directory is running.
    func waitUntilRedisIsGone() async throws {
        while await !redisServers().isEmpty {
            // Not for synchronisation: the redis-server is not a child of this process, so it cannot be waited for.
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Sends SIGKILL and returns after the end of the process. Its redis-server ends by itself.
    func kill() async { _ = await end(SIGKILL) }

    private func end(_ signal: Int32) async -> GraphdProcess.End? {
        guard let process else { return nil }
        process.signal(signal)
        let end = await process.wait()
        forget(.process(process))
        return end
    }

    private var process: GraphdProcess? {
        guard case .process(let process) = state.withLock({ $0.run }) else { return nil }
        return process
    }

    /// The first line of the running process that matches, past or future.
    func line(where matches: @escaping @Sendable (String) -> Bool) async throws -> String {
        let process = try #require(process)
        return try await process.line(where: matches)
    }

    /// Waits for the end of the running process.
    func ended() async -> GraphdProcess.End? { await end(0) }

    /// Signals the running process without waiting.
    func signal(_ signal: Int32) { process?.signal(signal) }

    /// The process id of the server at the private Redis' socket, once one answers there.
    func redisProcessID() async throws -> pid_t {
        while true {
            if let id = try? await RedisProbe.processID(patientRedis) { return id }
            // Not for synchronisation: the pause between two polls, each of which takes a connection and a thread.
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// The running redis-servers of this data directory.
    func redisServers() async -> Set<pid_t> {
        await PrivateRedisLeftover(socketPath: directory.redisSocket, logger: .silent).servers()
    }

    private func remove() async {
        if place == .here { await stop() } else { await kill() }
        for pid in await redisServers() {
            // A stopped process would not handle SIGTERM.
            _ = Glibc.kill(pid, SIGKILL)
        }
        try? await http.shutdown()
        (graph.database as? PostgreSQLDatabase)?.close()
        if storage.directory != nil { return }
        try? FileManager.default.removeItem(atPath: directory.path)
    }
}

extension GraphdServer {
    func client(_ person: Person? = nil, token: String? = nil, port other: Int? = nil) -> APIClient {
        APIClient(http: http, base: "http://127.0.0.1:\(other ?? port)", token: token ?? person?.token)
    }

    /// Creates a user without a password, which saves the hash.
    ///
    /// - Parameter acceptance: the inviters whose invitations to collaborate are accepted at once.
    func person(_ prefix: String = "user", accepting acceptance: AutoAcceptance = .nobody) async throws -> Person {
        let number = people.add(1, ordering: .relaxed).newValue
        let account = try await graph.accounts.createAccount(
            username: "\(prefix).\(number)", email: nil, passwordHash: nil)
        if acceptance != .nobody {
            var change = ProfileChange()
            change.autoAcceptance = acceptance
            try await graph.accounts.changeProfile(of: account.id, change)
        }
        return try await self.person(account)
    }

    func person(_ account: Account) async throws -> Person {
        let token = try await tokens.issue(userID: account.id.rawValue, lifetime: .seconds(3600)).token
        return Person(id: account.id, username: account.username, token: token)
    }

    /// Waits until the server reports an empty outbox and a connected Redis.
    func waitForJobs() async throws {
        // An answer may come from a look that began before this call, for another test. The next one does not.
        for _ in 0..<2 {
            try await waitUntilReady { $0["redis"]?.text == "up" && $0["outbox"]?["pending"]?.number == 0 }
        }
    }

    /// Polls `/readyz` until `isReached`, and returns that answer. It must answer 200 each time; only a database on a
    /// server may be too late for it on a busy machine.
    @discardableResult
    func waitUntilReady(_ isReached: (JSONValue) -> Bool) async throws -> JSONValue {
        while true {
            let answer = try await client().get("/readyz")
            if answer.status == 200 {
                let state = try answer.json
                if isReached(state) { return state }
            } else if storage.database == nil || !answer.isOutOfTouch {
                throw UnexpectedAnswer(answer)
            }
            // Not for synchronisation: a busy loop would take processor time from the server.
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Polls until `isReached`, for conditions without an event.
    func waitUntil(_ isReached: () -> Bool) async throws {
        while !isReached() {
            // Not for synchronisation: a busy loop would take processor time from the server.
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Reads the home timelines of `readers` until each has a window: a read that Redis does not answer in half a
    /// second is answered from the database, and asks for none.
    func buildWindows(_ readers: [Person]) async throws {
        repeat {
            for reader in readers { _ = try await client(reader).page("/v1/timelines/home") }
            try await waitForJobs()
        } while try await verify(readers.map(\.id)).windows < readers.count
    }

    /// Starts the server like ``start(_:)``, and returns how long that took.
    func timedStart() async throws -> Duration {
        let began = ContinuousClock.now
        try await start()
        return began.duration(to: .now)
    }

    /// Runs `timelines verify` with the running server's Redis.
    func verify(_ viewers: [UserID], redis: RedisConfiguration? = nil) async throws -> TimelineVerifier.Report {
        let connection = try RedisConnection(configuration: redis ?? patientRedis, name: "verify", logger: .silent)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await connection.run() }
            defer { connection.close() }
            try await connection.waitUntilUp()
            let keys = try await WindowSpace.stored(in: graph)?.keys
            return try await TimelineVerifier(graph: graph, connection: connection, keys: keys).verify(viewers)
        }
    }
}

extension RedisConfiguration {
    /// The same with time-outs that a busy machine does not reach.
    var patient: RedisConfiguration {
        var configuration = self
        (configuration.connectTimeout, configuration.commandTimeout) = (.seconds(120), .seconds(120))
        return configuration
    }
}

extension Answer {
    /// True if `/readyz` says only that the database has not answered in time.
    fileprivate var isOutOfTouch: Bool {
        status == 503 && ["database_down", "not_current"].contains { text.contains("\"code\":\"\($0)\"") }
    }
}
