import Foundation

/// A PostgreSQL cluster of our own in a directory of its own, durable as it comes: fsync and synchronous commit on.
final class PostgreSQL: Sendable {
    private let directory: String
    private let programs: String
    private static let account = "postgres"
    private static let database = "peer"

    /// Debian puts the programs of each version into a directory of its own.
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
        try Program.run(Program.find("chown"), [Self.account, directory])
        try asPostgres([programs + "/initdb", "-D", directory + "/cluster", "--no-locale", "-E", "UTF8"])
        let settings = [
            "listen_addresses=''", "unix_socket_directories='\(directory)'", "shared_buffers=2GB",
            "effective_cache_size=8GB", "maintenance_work_mem=1GB", "max_wal_size=8GB", "checkpoint_timeout=30min",
            "autovacuum=off", "jit=off",
        ]
        try asPostgres([
            programs + "/pg_ctl", "-D", directory + "/cluster", "-l", directory + "/log", "-w", "-o",
            settings.map { "-c \($0)" }.joined(separator: " "), "start",
        ])
        try asPostgres([programs + "/createdb", "-h", directory, Self.database])
    }

    func stop() {
        _ = try? asPostgres([programs + "/pg_ctl", "-D", directory + "/cluster", "-m", "immediate", "stop"])
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// Runs SQL to the end; the rows, columns separated by `|`.
    @discardableResult
    func run(_ sql: String) throws -> String {
        let file = directory + "/\(UUID().uuidString).sql"
        try sql.write(toFile: file, atomically: false, encoding: .utf8)
        return try asPostgres([
            programs + "/psql", "-h", directory, "-d", Self.database, "-v", "ON_ERROR_STOP=1", "-qAt", "-f", file,
        ])
    }

    /// Runs a script of pgbench by so many clients: transactions a second, without connecting.
    ///
    /// - Parameters:
    ///   - seconds: how long; nil: `transactions` by each client.
    func bench(_ script: String, clients: Int, seconds: Int? = nil, transactions: Int = 0) throws -> Double {
        let file = directory + "/\(UUID().uuidString).pgbench"
        try script.write(toFile: file, atomically: false, encoding: .utf8)
        let amount = seconds.map { ["-T", "\($0)"] } ?? ["-t", "\(transactions)"]
        let output = try asPostgres(
            [
                programs + "/pgbench", "-h", directory, "-n", "-M", "prepared", "-c", "\(clients)", "-j", "2", "-f",
                file,
            ] + amount + [Self.database])
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

    @discardableResult
    private func asPostgres(_ words: [String]) throws -> String {
        guard getuid() == 0 else { return try Program.run(words[0], Array(words.dropFirst())) }
        return try Program.run(Program.find("runuser"), ["-u", Self.account, "--"] + words)
    }
}
