import Foundation
import Glibc
import Processes

@testable import PostgreSQL

/// Acts of an administrator, and of fate.
extension PostgreSQLServer {
    /// Creates an empty database. Returns its name.
    package nonisolated func newDatabase(_ options: String = "") async throws -> String {
        try await onThread { try self.createDatabase(options)["dbname"] ?? "" }
    }

    /// Runs statements one by one. Returns the first column of the last one's rows.
    @discardableResult
    package nonisolated func execute(
        _ statements: String..., in database: String = "postgres"
    ) async throws -> [String] {
        try await onThread {
            let connection = try self.connection(to: database)
            var texts: [String] = []
            for sql in statements { texts = try connection.exchange([ServerCommand(sql)])[0].texts }
            return texts
        }
    }

    /// Changes a setting of the running server.
    package nonisolated func set(_ name: String, to value: String) async throws {
        try await execute("ALTER SYSTEM SET \(name) = '\(value)'", "SELECT pg_reload_conf()::text")
    }

    /// Ends all connections to a database.
    package nonisolated func end(connectionsTo database: String) async throws {
        try await execute(
            "SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity WHERE datname = '\(database)'")
    }

    /// Stops the postmaster and all its children where they are. They still hold their connections.
    package func freeze() { signalAll(SIGSTOP) }

    /// Lets all processes continue after ``freeze()``.
    package func thaw() { signalAll(SIGCONT) }

    private func signalAll(_ signal: Int32) {
        process?.signal(signal)
        for child in children { Glibc.kill(child, signal) }
    }

    private var children: [pid_t] {
        guard let pid = process?.pid else { return [] }
        let list = try? String(contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8)
        return list?.split(separator: " ").compactMap { pid_t($0) } ?? []
    }

    /// Kills (SIGKILL) a random process that serves a connection to `database`. The postmaster then ends all others and
    /// recovers. Returns false if there is none.
    package func killBackend<G: RandomNumberGenerator>(of database: String, using generator: inout G) -> Bool {
        let serving = children.filter { child in
            let title = try? String(contentsOfFile: "/proc/\(child)/cmdline", encoding: .utf8)
            return title?.contains("postgres: graphd \(database) ") == true
        }
        guard let victim = serving.randomElement(using: &generator) else { return false }
        return Glibc.kill(victim, SIGKILL) == 0
    }
}
