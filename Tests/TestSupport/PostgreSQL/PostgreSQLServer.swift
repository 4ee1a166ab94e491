import Foundation
import Glibc
import GraphAssembly
import Processes

@testable import PostgreSQL

/// A temporary PostgreSQL server on a Unix socket in a temporary directory. It ends with the process, however that
/// ends. Needs the Debian package postgresql-15.
package actor PostgreSQLServer {
    /// The server of the test process, started once.
    package static func shared() async throws -> PostgreSQLServer { try await sharedTask.value }

    private static let sharedTask = Task {
        let server = try PostgreSQLServer()
        try await server.start()
        sharedProcess = await server.process
        sharedDirectory = server.directory
        atexit { PostgreSQLServer.removeShared() }
        return server
    }

    // Proof: written once, before the handler that reads it is registered.
    private nonisolated(unsafe) static var sharedDirectory = ""
    // Proof: written once, before the handler that reads it is registered.
    private nonisolated(unsafe) static var sharedProcess: ChildProcess?

    private static func removeShared() {
        sharedProcess?.signal(SIGQUIT)
        sharedProcess?.waitBlocking()
        try? FileManager.default.removeItem(atPath: sharedDirectory)
    }

    package nonisolated let directory: String
    private nonisolated let databases = Counter()
    package nonisolated let setup: Setup
    private(set) var process: ChildProcess?
    private var template: Task<String, any Error>?

    package init(_ setup: Setup = Setup()) throws {
        self.setup = setup
        if let kept = setup.directory {
            directory = kept
            try FileManager.default.createDirectory(atPath: kept, withIntermediateDirectories: true)
            return
        }
        directory = try Self.makeDirectory("pg")
    }

    /// Creates a directory that the server's user can enter, even if the temporary directory is closed to others: in
    /// memory, where a flush to disk is quick, if there is such a file system.
    package static func makeDirectory(_ name: String) throws -> String {
        let memory = "/dev/shm"
        let inMemory = FileManager.default.isWritableFile(atPath: memory)
        let directory = inMemory ? "\(memory)/\(name)-\(UUID().uuidString.prefix(8))" : temporaryPath(name)
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        return directory
    }

    private nonisolated var data: String { directory + "/data" }
    private nonisolated var log: String { directory + "/log" }

    /// Creates the files, unless they are there, starts the server and returns once it answers.
    package func start() async throws {
        if !FileManager.default.fileExists(atPath: data) { try await createFiles() }
        let settings = [
            "unix_socket_directories=\(directory)", "listen_addresses=", "fsync=on", "shared_buffers=64MB",
            "max_connections=1000",
            // Its visits change statistics, and so plans, at any time.
            "autovacuum=off",
        ]
        let arguments = ["-D", data] + (settings + setup.settings).flatMap { ["-c", $0] }
        process = try ChildProcess(launch("postgres", arguments), endsWithParent: true)
        while (try? connection(to: "postgres")) == nil {
            if process?.waitBlocking(atMost: .milliseconds(1)) != nil { throw failure(of: "postgres") }
            // Not for synchronisation: the pause between two polls.
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private func createFiles() async throws {
        try Self.give(directory)
        let program = setup.primary == nil ? "initdb" : "pg_basebackup"
        let log = setup.logDirectory.map { ["--waldir=\($0)", "--wal-segsize=1"] } ?? []
        let arguments =
            setup.primary.map { ["-D", data, "-h", $0.directory, "-U", "graphd", "-R", "-c", "fast", "--no-sync"] }
            ?? ["-D", data, "-U", "graphd", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"] + log
        guard try await ChildProcess(launch(program, arguments)).wait() == .exited(0) else {
            throw failure(of: program)
        }
        if setup.authentication.isEmpty { return }
        let file = data + "/pg_hba.conf"
        let usual = try String(contentsOfFile: file, encoding: .utf8)
        let lines = setup.authentication + [usual]
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: file))
    }

    /// Sends SIGKILL to the postmaster and returns after its end. Its children notice and end by themselves.
    package func kill() async {
        process?.signal(SIGKILL)
        _ = await process?.wait()
        process = nil
    }

    package func restart() async throws {
        await kill()
        // A child that has not ended yet keeps the next server from starting.
        while true {
            do { return try await start() } catch is Failure { await Task.yield() }
        }
    }

    /// Ends the server and removes its files. Its children must be gone by then: one that misses its files tries again
    /// for ever, and does not look whether its postmaster lives.
    package func remove() async {
        // One that a failed test has left frozen hears no other signal.
        thaw()
        process?.signal(SIGQUIT)
        _ = await process?.wait()
        process = nil
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// Creates an empty database. Returns its address.
    package nonisolated func createDatabase(_ options: String = "") throws -> PostgreSQLAddress {
        let name = "test\(databases.next())"
        let connection = try connection(to: "postgres")
        let creation = ServerCommand("CREATE DATABASE \(name) \(options)")
        while true {
            do {
                _ = try connection.exchange([creation])
                return try address(of: name)
            } catch ServerFailure.statement(Self.objectInUse, _, _) {
                // PostgreSQL waits 5 s for the sessions that use the template. One that was closed ends once its
                // process gets a turn.
                continue
            }
        }
    }

    private static let objectInUse: SQLState = "55006"

    /// Drops a database that ``createDatabase(_:)`` has created, with the connections to it.
    package nonisolated func drop(_ address: PostgreSQLAddress) throws {
        let connection = try connection(to: "postgres")
        _ = try connection.exchange([ServerCommand("DROP DATABASE \(address["dbname"] ?? "") WITH (FORCE)")])
    }

    /// Creates a database, runs `body` with its address, and drops it. Only a few are in use at a time.
    ///
    /// - Parameter options: options of `CREATE DATABASE`.
    package nonisolated func withDatabase<T>(
        _ options: String = "", _ body: (PostgreSQLAddress) async throws -> T
    ) async throws -> T {
        try await DatabaseSlots.shared.withSlot {
            let address = try await onThread { try self.createDatabase(options) }
            let result: Result<T, any Error>
            do { result = .success(try await body(address)) } catch { result = .failure(error) }
            try? await onThread { try self.drop(address) }
            return try result.get()
        }
    }

    /// Runs `body` with the address of a new database that has the tables of a graph, and drops it afterwards.
    package nonisolated func withGraphDatabase<T>(
        _ body: (PostgreSQLAddress) async throws -> T
    ) async throws -> T {
        try await withDatabase(graphOptions(), body)
    }

    /// Creates a database that has the tables of a graph. It is there as long as the server.
    package nonisolated func createGraphDatabase() async throws -> PostgreSQLAddress {
        let options = try await graphOptions()
        return try await onThread { try self.createDatabase(options) }
    }

    /// Options of a database that is a copy of the template. Its files are copied, which takes a third of the time of
    /// writing each page to the log.
    private nonisolated func graphOptions() async throws -> String {
        "TEMPLATE \(try await graphTemplate()) STRATEGY file_copy"
    }

    /// The name of a database with the tables of a graph and nothing in them, to copy. It is collated otherwise than
    /// SQLite orders texts, so that every suite notices a statement that leaves an order to the database.
    private func graphTemplate() async throws -> String {
        if let template { return try await template.value }
        let task = Task {
            try await onThread {
                let address = try self.createDatabase(Self.germanCollation)
                try PostgreSQLDatabase(graphAt: address, options: .tests).close()
                return address["dbname"] ?? ""
            }
        }
        template = task
        return try await task.value
    }

    /// Options of a database whose collation has "a" before "B", and "ä" between them.
    package static let germanCollation = "TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'de'"

    package nonisolated func address(of database: String) throws -> PostgreSQLAddress {
        try PostgreSQLAddress(parsing: url(of: database))
    }

    nonisolated func connection(to database: String) throws -> PostgreSQLConnection {
        let source = ConnectionSource(address: try address(of: database), timeouts: .tests, noteRoundTrip: {})
        return try source.anyConnection(for: .reader)
    }

    package struct Failure: Error {
        let program: String
        let reason: String
    }

    /// The failure of a program, with the end of what it has said.
    private func failure(of program: String) -> Failure {
        let said = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        return Failure(program: program, reason: String(said.suffix(1_000)))
    }

    /// PostgreSQL refuses to run as root.
    static var user: (uid: uid_t, gid: gid_t)? {
        (getpwnam("postgres") ?? getpwnam("nobody")).map { ($0.pointee.pw_uid, $0.pointee.pw_gid) }
    }

    private func launch(_ program: String, _ arguments: [String]) -> Launch {
        var words = ["/usr/lib/postgresql/15/bin/" + program] + arguments
        if getuid() == 0, let user = Self.user {
            words = ["/usr/bin/setpriv", "--reuid=\(user.uid)", "--regid=\(user.gid)", "--clear-groups"] + words
        }
        words = setup.launcher + words
        var launch = Launch(words[0], Array(words.dropFirst()))
        launch.error = .path(log)
        return launch
    }
}
