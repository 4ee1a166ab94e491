import Foundation
import Processes
import Synchronization

/// A PostgreSQL cluster of our own in a separate directory, with its default durability: fsync and synchronous commit
/// on.
final class PostgreSQL: Sendable {
    private let directory: String
    private let programs: String
    private var cluster: String { directory + "/cluster" }
    private let command: [String]
    private let server: Mutex<ChildProcess>
    private let port: Int
    private static let account = "postgres"
    static let database = "peer"

    /// Finds the programs: Debian has a directory of its own for those of each version.
    private static func findPrograms() throws -> String {
        let versions = try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql").sorted()
        guard let version = versions?.last else {
            throw Program.Failure(description: "PostgreSQL is not installed (Debian: postgresql-15)")
        }
        return "/usr/lib/postgresql/\(version)/bin"
    }

    /// - Parameters:
    ///   - port: a TCP port of this machine on which it listens as well; nil for a socket file only.
    ///   - primary: the cluster whose streaming standby this one is; nil: it is a primary.
    init(port: Int? = nil, standbyOf primary: PostgreSQL? = nil) throws {
        self.port = port ?? 5_432
        programs = try Self.findPrograms()
        directory = try Scratch.directory("postgres")
        if getuid() == 0 { try Program.run(Program.find("chown"), [Self.account, directory]) }
        let cluster = directory + "/cluster"
        let creation =
            primary.map {
                ["pg_basebackup", "-D", cluster, "-h", $0.directory, "-p", "\($0.port)", "-R", "-c", "fast"]
            } ?? ["initdb", "-D", cluster, "--no-locale", "-E", "UTF8", "-A", "trust"]
        try Program.run(Self.asPostgres([programs + "/" + creation[0]] + creation.dropFirst()))
        let settings = [
            "listen_addresses=\(port == nil ? "" : "127.0.0.1")", "port=\(self.port)",
            "unix_socket_directories=\(directory)", "shared_buffers=2GB",
            "effective_cache_size=8GB", "maintenance_work_mem=1GB", "max_wal_size=8GB", "checkpoint_timeout=30min",
            "fsync=on", "synchronous_commit=on", "autovacuum=off", "jit=off", "log_min_messages=panic",
            "client_min_messages=warning",
            // A standby that has lost its primary would look for it every 5 s only, and hold up all commits until then.
            "wal_retrieve_retry_interval=200ms",
        ]
        command = try Self.asPostgres(
            [programs + "/postgres", "-D", cluster] + settings.flatMap { ["-c", $0] })
        server = Mutex(try ChildProcess(command[0], Array(command.dropFirst())))
        try waitUntilReady(within: .seconds(30))
        if primary == nil { try create(Self.database) }
    }

    private func waitUntilReady(within limit: Duration) throws {
        let deadline = ContinuousClock.now + limit
        while try !acceptsConnections {
            guard ContinuousClock.now < deadline else {
                stop()
                throw Program.Failure(description: "PostgreSQL did not become ready")
            }
            usleep(50_000)
        }
    }

    /// True if it answers a request to connect, other than by saying that it is starting.
    var acceptsConnections: Bool {
        get throws {
            try Program.succeeds(
                programs + "/pg_isready", ["-q", "-h", directory, "-p", "\(port)", "-U", Self.account, "-t", "1"])
        }
    }

    /// Ends it as a crash would.
    func kill() { server.withLock { $0.stop(signal: SIGKILL) } }

    /// Starts it again after ``kill()``, and returns as soon as it accepts connections.
    func restart() throws {
        // A process that serves a connection may outlive the kill for a moment, and keeps a new server from starting.
        while true {
            let child = try ChildProcess(command[0], Array(command.dropFirst()))
            server.withLock { $0 = child }
            while child.waitBlocking(atMost: .milliseconds(5)) == nil {
                if try acceptsConnections { return }
            }
        }
    }

    /// Stops it and all its children where they are. They still hold their connections.
    func freeze() { signalAll(SIGSTOP) }

    /// Lets it go on after ``freeze()``.
    func thaw() { signalAll(SIGCONT) }

    private func signalAll(_ signal: Int32) {
        for process in processes { Foundation.kill(process, signal) }
    }

    /// The server and its children, which serve connections.
    private var processes: [pid_t] {
        let server = server.withLock(\.pid)
        let list = try? String(contentsOfFile: "/proc/\(server)/task/\(server)/children", encoding: .utf8)
        return [server] + (list?.split(separator: " ").compactMap { pid_t($0) } ?? [])
    }

    /// The processor time of the server and of the children that it has now.
    func processorSeconds() throws -> Double {
        try processes.reduce(0) { try $0 + ProcessUsage(of: $1).cpuSeconds }
    }

    /// Makes a standby the primary, and returns once it accepts writes.
    func promote() throws { try control("promote", "-w") }

    /// Acknowledges nothing from now on before a standby has it.
    func requireStandby() throws {
        try Self.append("synchronous_standby_names = 'ANY 1 (*)'\n", to: cluster + "/postgresql.conf")
        try control("reload")
    }

    private func control(_ arguments: String...) throws {
        try Program.run(Self.asPostgres([programs + "/pg_ctl", "-s", "-D", cluster] + arguments))
    }

    private static func append(_ text: String, to path: String) throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }

    /// The address of a database on this server or on `other`, whichever accepts writes.
    func address(of database: String, or other: PostgreSQL) -> String {
        "postgres://\(Self.account)@/\(database)?host=\(directory),\(other.directory)&port=\(port),\(other.port)"
            + "&target_session_attrs=read-write"
    }

    /// Creates a database, as a copy of one that nobody is connected to if it is named.
    func create(_ database: String, copying template: String? = nil) throws {
        try Program.run(
            Self.asPostgres(
                [programs + "/createdb", "-h", directory, "-p", "\(port)"] + (template.map { ["-T", $0] } ?? []) + [
                    database
                ]))
    }

    /// The address of a database for graphd: through the socket file, or through a TCP port of this machine.
    func address(of database: String, throughPort port: Int? = nil) -> String {
        if let port { return "postgres://\(Self.account)@127.0.0.1:\(port)/\(database)?sslmode=disable" }
        return "postgres://\(Self.account)@/\(database)?host=\(directory)&port=\(self.port)"
    }

    /// Stops it at once: none of its data is needed any more.
    func stop() {
        thaw()
        server.withLock { $0.stop(signal: SIGQUIT) }
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// Runs SQL to the end. Returns the rows, columns separated by `|`.
    @discardableResult
    func run(_ sql: String, in database: String = PostgreSQL.database) throws -> String {
        let file = directory + "/\(UUID().uuidString).sql"
        try sql.write(toFile: file, atomically: false, encoding: .utf8)
        return try Program.run(
            Self.asPostgres([
                programs + "/psql", "-h", directory, "-p", "\(port)", "-d", database, "-v", "ON_ERROR_STOP=1", "-qAt",
                "-f", file,
            ]))
    }

    /// Runs a script of pgbench by so many clients. Returns transactions a second, without connecting.
    ///
    /// - Parameters:
    ///   - seconds: the duration; nil for `transactions` by each client.
    func bench(_ script: String, clients: Int, seconds: Int? = nil, transactions: Int = 0) throws -> Double {
        let file = directory + "/\(UUID().uuidString).pgbench"
        try script.write(toFile: file, atomically: false, encoding: .utf8)
        let amount = seconds.map { ["-T", "\($0)"] } ?? ["-t", "\(transactions)"]
        let output = try Program.run(
            Self.asPostgres(
                [
                    programs + "/pgbench", "-h", directory, "-p", "\(port)", "-n", "-M", "prepared", "-c", "\(clients)",
                    "-j", "2",
                    "-f", file,
                ] + amount + [Self.database]))
        let line = output.split(separator: "\n").first { $0.hasPrefix("tps = ") }
        guard let rate = line?.split(separator: " ").dropFirst(2).first.flatMap({ Double($0) }) else {
            throw Program.Failure(description: "unexpected output: \(output)")
        }
        return rate
    }

    /// Makes a file readable for the server's COPY.
    func path(_ name: String, _ text: String) throws -> String {
        let file = directory + "/" + name
        try text.write(toFile: file, atomically: false, encoding: .utf8)
        return file
    }

    /// Wraps a command to run as another user, since PostgreSQL refuses to run as root.
    private static func asPostgres(_ command: [String]) throws -> [String] {
        guard getuid() == 0 else { return command }
        return [
            try Program.find("setpriv"), "--reuid", account, "--regid", account, "--init-groups", "--",
        ] + command
    }
}
