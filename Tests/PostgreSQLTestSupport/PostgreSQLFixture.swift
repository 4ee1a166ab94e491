import Database
import TestSupport

@testable import PostgreSQL

/// A database of its own on a server, with a clock that the test moves.
package struct PostgreSQLFixture: Sendable {
    package let server: PostgreSQLServer
    package let address: PostgreSQLAddress
    package let clock: AdjustableClock
    package let database: PostgreSQLDatabase

    /// A second opener of the same database, like another node.
    package func another(clock: AdjustableClock? = nil, schema: DatabaseSchema = .sample) throws -> PostgreSQLDatabase {
        let clock = clock ?? self.clock
        return try PostgreSQLDatabase(address: address, options: .tests, schema: schema, clock: { clock.now })
    }
}

extension DatabaseSchema {
    /// The sample with one change more.
    package static func laterSample(
        _ statements: String = "ALTER TABLE entry ADD COLUMN later INTEGER", isAdditive: Bool = false
    ) -> DatabaseSchema {
        DatabaseSchema(
            tables: sample.tables,
            changes: [SchemaChange(name: "9.0.0-later", statements: statements, isAdditive: isAdditive)],
            mergedIndex: nil)
    }

    /// The tables of the engine, and a few with which tests write.
    package static let sample = DatabaseSchema(
        tables: Tables.engine + """
            CREATE TABLE person (
                id INTEGER PRIMARY KEY,
                name TEXT NOT NULL UNIQUE,
                height REAL,
                picture BLOB,
                age INTEGER CHECK (age >= 0)
            ) STRICT;

            CREATE TABLE friend (
                person_id INTEGER NOT NULL REFERENCES person (id),
                other_id INTEGER NOT NULL REFERENCES person (id),
                PRIMARY KEY (person_id, other_id)
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE entry (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
            CREATE TRIGGER entry_no_delete BEFORE DELETE ON entry
                BEGIN SELECT RAISE(ABORT, 'entries are kept'); END;

            """,
        changes: [], mergedIndex: nil)
}

/// Runs `body` with a new database on the shared server, or on `server`.
package func withPostgreSQL(
    schema: DatabaseSchema = .sample, clock: AdjustableClock = AdjustableClock(),
    options: PostgreSQLOptions = .tests, server: PostgreSQLServer? = nil,
    observingRoundTrips observe: @escaping @Sendable () -> Void = {},
    _ body: (PostgreSQLFixture) async throws -> Void
) async throws {
    let owner = if let server { server } else { try await PostgreSQLServer.shared() }
    try await owner.withDatabase { address in
        let database = try await onThread {
            try PostgreSQLDatabase(
                address: address, options: options, schema: schema, clock: { clock.now }, observingRoundTrips: observe)
        }
        let result: Result<Void, any Error>
        do {
            result = .success(
                try await body(
                    PostgreSQLFixture(server: owner, address: address, clock: clock, database: database)))
        } catch {
            result = .failure(error)
        }
        try await onThread { database.close() }
        try result.get()
    }
}
