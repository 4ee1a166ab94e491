import Database
import Foundation
import Synchronization

/// An empty database that receives a backup. A table marks it until it is complete, so that nobody serves it and that
/// the next attempt may remove what an interrupted one has left. Its calls block.
package final class RestorationTarget: Sendable {
    /// The advisory lock of the process that restores, which ends with it: the bytes of "restore" as a number.
    private static let lock: Int64 = 0x72_6573_746F_7265

    package let address: PostgreSQLAddress
    /// The schema in which new tables are made.
    package let schema: String
    /// Major and minor version of the server, as in 150004.
    package let serverVersion: Int64
    private let connection: Mutex<PostgreSQLConnection>

    /// Takes the database, and marks it.
    ///
    /// - Throws: `DatabaseError`, whose detail says what to do about a database that is not empty, or is being restored
    ///   by another process.
    package init(_ address: PostgreSQLAddress, requiresStandby: Bool = false) throws {
        let source = ConnectionSource(address: address, timeouts: PostgreSQLTimeouts(), noteRoundTrip: {})
        let retry = Retry(until: .now + source.timeouts.patience, isClosed: { false })
        let (connection, schema) = try translating {
            let connection = try retry.run { try source.connection(for: .reader) }
            try ServerRequirements(requiresStandby: requiresStandby).check(connection)
            return (connection, try Self.take(connection, address))
        }
        self.address = address
        self.schema = schema
        serverVersion = Int64(connection.serverVersion)
        self.connection = Mutex(connection)
    }

    private static let lockAttempts = 20
    /// Seconds between two attempts.
    private static let lockPause = 0.1

    /// Removes the mark: the database may be served from now on.
    package func complete() throws {
        try connection.withLock { connection in
            let removal = ServerCommand("DROP TABLE \(SchemaInstaller.restorationMark)")
            try translating { _ = try connection.exchange([removal]) }
        }
    }

    /// Empties the database, and leaves no mark.
    package func undo() throws {
        let source = ConnectionSource(address: address, timeouts: PostgreSQLTimeouts(), noteRoundTrip: {})
        try connection.withLock { connection in
            try translating {
                if !connection.isUsable {
                    connection = try source.connection(for: .reader)
                    try Self.lock(connection, address)
                }
                try Self.transaction(connection) { try Self.empty(connection) }
            }
        }
    }

    /// Returns the schema of the tables.
    private static func take(_ connection: PostgreSQLConnection, _ address: PostgreSQLAddress) throws -> String {
        let facts = try connection.exchange([
            ServerCommand("SELECT current_schema()::text"),
            // The connection waits while others restore, perhaps for hours.
            ServerCommand("SELECT set_config('idle_session_timeout', '0', false)"),
        ])
        guard let schema = facts[0].text, !schema.isEmpty else { throw ServerRequirements.schemaIsMissing }
        try lock(connection, address)
        do {
            try transaction(connection) { try mark(connection, address) }
        } catch ServerFailure.statement(.insufficientPrivilege, let message, _) {
            throw ServerRequirements.missingRight(message)
        }
        return schema
    }

    /// Waits a moment for the lock: the server keeps that of a process which has just ended until it notices.
    private static func lock(_ connection: PostgreSQLConnection, _ address: PostgreSQLAddress) throws {
        let command = ServerCommand("SELECT 1 WHERE pg_try_advisory_lock(?1)", [.integer(lock)])
        for attempt in 1...lockAttempts {
            if try connection.exchange([command])[0].integer != nil { return }
            if attempt < lockAttempts { Thread.sleep(forTimeInterval: lockPause) }
        }
        throw ServerRequirements.refusal("another graphd restores a backup into the database \(address)")
    }

    private static func mark(_ connection: PostgreSQLConnection, _ address: PostgreSQLAddress) throws {
        let tables = try connection.exchange([
            ServerCommand("SELECT pg_advisory_xact_lock(?1)", [.integer(SchemaInstaller.lock)]),
            ServerCommand(SchemaInstaller.tables),
        ])[1].texts
        if tables.contains(SchemaInstaller.restorationMark) {
            try empty(connection)
        } else if let table = tables.min() {
            throw ServerRequirements.refusal(
                "the database \(address) is not empty (it has the table \"\(table)\"); create an empty database for "
                    + "the backup, and name that")
        }
        _ = try connection.exchange([
            ServerCommand("CREATE TABLE \(SchemaInstaller.restorationMark) (since timestamptz DEFAULT now())")
        ])
    }

    /// Removes all tables, and the functions of their triggers.
    private static func empty(_ connection: PostgreSQLConnection) throws {
        let found = try connection.exchange([
            ServerCommand("SELECT quote_ident(tablename)::text FROM pg_tables WHERE schemaname = current_schema()"),
            ServerCommand(
                """
                SELECT DISTINCT t.tgfoid::regprocedure::text FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
                JOIN pg_namespace n ON n.oid = c.relnamespace
                WHERE NOT t.tgisinternal AND n.nspname = current_schema()
                """),
        ])
        var commands = found[1].texts.map { ServerCommand("DROP FUNCTION \($0) CASCADE") }
        let tables = found[0].texts.joined(separator: ", ")
        if !tables.isEmpty { commands.append(ServerCommand("DROP TABLE \(tables) CASCADE")) }
        _ = try connection.exchange(commands)
    }

    private static func transaction(_ connection: PostgreSQLConnection, _ body: () throws -> Void) throws {
        _ = try connection.exchange([ServerCommand("BEGIN")])
        do {
            try body()
            _ = try connection.exchange([ServerCommand("COMMIT")])
        } catch {
            try? connection.post([ServerCommand("ROLLBACK")])
            throw error
        }
    }
}
