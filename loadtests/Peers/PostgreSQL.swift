import Foundation
import Processes

/// A PostgreSQL cluster of our own in a separate directory, with its default durability: fsync and synchronous commit
/// on.
final class PostgreSQL: Sendable {
    private let directory: String
    private let programs: String
    private let server: ChildProcess
    private static let account = "postgres"
    private static let database = "peer"

    /// Finds the programs: Debian has a directory of its own for those of each version.
    private static func findPrograms() throws -> String {
        let versions = try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql").sorted()
        guard let version = versions?.last else {
            throw Program.Failure(description: "PostgreSQL is not installed (Debian: postgresql-15)")
        }
        return "/usr/lib/postgresql/\(version)/bin"
    }

    init() throws {
        programs = try Self.findPrograms()
        directory = try Scratch.directory("postgres")
        if getuid() == 0 { try Program.run(Program.find("chown"), [Self.account, directory]) }
        let cluster = directory + "/cluster"
        try Program.run(
            Self.asPostgres([programs + "/initdb", "-D", cluster, "--no-locale", "-E", "UTF8", "-A", "trust"]))
        let settings = [
            "listen_addresses=", "unix_socket_directories=\(directory)", "shared_buffers=2GB",
            "effective_cache_size=8GB", "maintenance_work_mem=1GB", "max_wal_size=8GB", "checkpoint_timeout=30min",
            "fsync=on", "synchronous_commit=on", "autovacuum=off", "jit=off", "log_min_messages=panic",
            "client_min_messages=warning",
        ]
        let command = try Self.asPostgres(
            [programs + "/postgres", "-D", cluster] + settings.flatMap { ["-c", $0] })
        server = try ChildProcess(command[0], Array(command.dropFirst()))
        let deadline = ContinuousClock.now + .seconds(30)
        while try !Program.succeeds(programs + "/pg_isready", ["-q", "-h", directory, "-U", Self.account]) {
            guard ContinuousClock.now < deadline else {
                stop()
                throw Program.Failure(description: "PostgreSQL did not become ready")
            }
            usleep(50_000)
        }
        try Program.run(Self.asPostgres([programs + "/createdb", "-h", directory, Self.database]))
    }

    /// Stops it at once: none of its data is needed any more.
    func stop() {
        server.stop(signal: SIGQUIT)
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// Runs SQL to the end. Returns the rows, columns separated by `|`.
    @discardableResult
    func run(_ sql: String) throws -> String {
        let file = directory + "/\(UUID().uuidString).sql"
        try sql.write(toFile: file, atomically: false, encoding: .utf8)
        return try Program.run(
            Self.asPostgres([
                programs + "/psql", "-h", directory, "-d", Self.database, "-v", "ON_ERROR_STOP=1", "-qAt", "-f", file,
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
                    programs + "/pgbench", "-h", directory, "-n", "-M", "prepared", "-c", "\(clients)", "-j", "2",
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
