import Foundation
import Glibc

extension PostgreSQLServer {
    /// The ways in which a server may differ from the usual one.
    package struct Setup: Sendable {
        /// Settings, such as `max_connections=10`.
        package var settings: [String]
        /// Lines that come before those of `pg_hba.conf`.
        package var authentication: [String] = []
        /// The port, if the settings have another one than PostgreSQL's own.
        package var port: Int?
        /// A program, with its arguments, that starts the server.
        package var launcher: [String] = []
        /// The server whose streaming standby this one is.
        package var primary: PostgreSQLServer?
        /// An empty directory for the write-ahead log, in segments of 1 MB; nil: beside the data.
        package var logDirectory: String?
        /// A directory that is kept; nil: a temporary one.
        package var directory: String?

        package init(settings: [String] = []) { self.settings = settings }
    }

    /// Runs `body` with a server of its own, and removes it.
    package static func running<T: Sendable>(
        _ setup: Setup = Setup(), _ body: (PostgreSQLServer) async throws -> T
    ) async throws -> T {
        let server = try PostgreSQLServer(setup)
        let result: Result<T, any Error>
        do {
            try await server.start()
            result = .success(try await body(server))
        } catch {
            result = .failure(error)
        }
        await server.remove()
        return try result.get()
    }

    /// Runs `body` with a primary, its synchronous standby, and the address of a new database that names both; removes
    /// them.
    package static func runningPair(
        _ body: (_ primary: PostgreSQLServer, _ standby: PostgreSQLServer, _ url: String) async throws -> Void
    ) async throws {
        try await running { primary in
            var setup = Setup()
            setup.primary = primary
            try await running(setup) { standby in
                let database = try await primary.newDatabase()
                try await primary.set("synchronous_standby_names", to: "ANY 1 (*)")
                // Commits wait once the checkpointer has read the setting, which it does before it makes a checkpoint.
                try await primary.execute("CHECKPOINT")
                let streaming = "SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'"
                while try await primary.execute(streaming) != ["quorum"] {
                    // Not for synchronisation: the pause between two polls.
                    try await Task.sleep(for: .milliseconds(10))
                }
                try await body(
                    primary, standby,
                    "postgres://graphd@/\(database)?host=\(primary.directory),\(standby.directory)"
                        + "&target_session_attrs=read-write")
            }
        }
    }

    /// Makes a file or a directory the server's, which does not run as root.
    package static func give(_ path: String) throws {
        guard getuid() == 0, let user else { return }
        guard chown(path, user.uid, user.gid) == 0 else {
            throw Failure(program: "chown", reason: String(cString: strerror(errno)))
        }
    }

    /// The text of an address, as an operator writes it.
    ///
    /// - Parameters:
    ///   - user: a user, which may be followed by `:` and a password.
    ///   - options: more options, such as `passfile=/path`.
    package nonisolated func url(of database: String, user: String = "graphd", _ options: String...) -> String {
        let port = setup.port.map { ["port=\($0)"] } ?? []
        return "postgres://\(user)@/\(database)?" + (["host=\(directory)"] + port + options).joined(separator: "&")
    }
}
