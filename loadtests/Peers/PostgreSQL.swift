import Foundation
import Processes

/// A PostgreSQL cluster of our own in a separate directory, with its default durability: fsync and synchronous commit
/// on.
final class PostgreSQL: Sendable {
    private let directory: String
    private let programs: String
    private let server: ChildProcess
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

    /// - Parameter port: a TCP port of this machine on which it listens as well; nil for a socket file only.
    init(port: Int? = nil) throws {
        self.port = port ?? 5_432
        programs = try Self.findPrograms()
        directory = try Scratch.directory("postgres")
        if getuid() == 0 { try Program.run(Program.find("chown"), [Self.account, directory]) }
        let cluster = directory + "/cluster"
        try Program.run(
            Self.asPostgres([programs + "/initdb", "-D", cluster, "--no-locale", "-E", "UTF8", "-A", "trust"]))
        let settings = [
            "listen_addresses=\(port == nil ? "" : "127.0.0.1")", "port=\(self.port)",
            "unix_socket_directories=\(directory)", "shared_buffers=2GB",
            "effective_cache_size=8GB", "maintenance_work_mem=1GB", "max_wal_size=8GB", "checkpoint_timeout=30min",
            "fsync=on", "synchronous_commit=on", "autovacuum=off", "jit=off", "log_min_messages=panic",
            "client_min_messages=warning",
        ]
        let command = try Self.asPostgres(
            [programs + "/postgres", "-D", cluster] + settings.flatMap { ["-c", $0] })
        server = try ChildProcess(command[0], Array(command.dropFirst()))
        let deadline = ContinuousClock.now + .seconds(30)
        while try !Program.succeeds(
            programs + "/pg_isready", ["-q", "-h", directory, "-p", "\(self.port)", "-U", Self.account])
        {
            guard ContinuousClock.now < deadline else {
                stop()
                throw Program.Failure(description: "PostgreSQL did not become ready")
            }
            usleep(50_000)
        }
        try create(Self.database)
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
        server.stop(signal: SIGQUIT)
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
