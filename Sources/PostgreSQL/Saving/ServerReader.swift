import Database

/// Reads of a database that is to be saved or checked, on one connection. Changes nothing: the database may be of
/// another version. Its calls block, and follow one another.
package final class ServerReader {
    private let session: ReaderSession

    package convenience init(_ address: PostgreSQLAddress) {
        self.init(ConnectionSource(address: address, timeouts: PostgreSQLTimeouts(), noteRoundTrip: {}))
    }

    init(_ source: ConnectionSource) { session = ReaderSession(source, isClosed: { false }) }

    /// Runs `body` on one consistent snapshot.
    ///
    /// - Throws: `DatabaseError`, and the errors of `body`.
    package func read<T>(_ body: (any SQLReader) throws -> T) throws -> T {
        let reader = SnapshotReader(session, isCancelled: { false })
        defer { reader.end() }
        return try translating {
            try session.begin(for: .now)
            return try body(reader)
        }
    }

    /// Same as `GraphDatabase.analyze()`.
    package func analyze() {
        for sql in (try? read { try $0.analyzeStatements }) ?? [] { try? read { try $0.run(sql) } }
    }
}

extension SQLReader {
    /// A statement for each table, to be run in a transaction of its own, which may only read. One that fails or takes
    /// too long is left to autovacuum: what was written before is good without it.
    var analyzeStatements: [String] {
        get throws {
            try rows(
                """
                SELECT format('ANALYZE %I', relname) FROM pg_class
                WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace ORDER BY relname
                """, []
            ) { $0.text(0) }
        }
    }

    func run(_ sql: String) throws { try forEach(sql, []) { _ in true } }
}

/// A snapshot that other sessions can read, too, such as that of `pg_dump`, for as long as this value lives. Its calls
/// block, and follow one another.
package final class ExportedSnapshot {
    /// The name by which other sessions ask for the snapshot.
    package let name: String
    /// The schema with the tables of the graph.
    package let schema: String
    /// Major and minor version of the server, as in 150004.
    package let serverVersion: Int64
    private let reader: SnapshotReader

    /// - Throws: `DatabaseError`.
    package init(of address: PostgreSQLAddress) throws {
        let source = ConnectionSource(address: address, timeouts: PostgreSQLTimeouts(), noteRoundTrip: {})
        let reader = SnapshotReader(ReaderSession(source, isClosed: { false }), isCancelled: { false })
        self.reader = reader
        // The snapshot waits for other sessions, perhaps for hours.
        let patience = SQLQuery("SELECT set_config('idle_in_transaction_session_timeout', '0', true)", [])
        let facts = SQLQuery(
            "SELECT pg_export_snapshot()::text, current_schema()::text, current_setting('server_version_num')::bigint",
            [])
        var found: (name: String, schema: String?, version: Int64)?
        try translating {
            try reader.fetch([patience, facts]) { index, row in
                if index == 1 { found = (row.text(0), row.optionalText(1), row.integer(2)) }
                return true
            }
        }
        guard let found, let schema = found.schema else { throw ServerRequirements.schemaIsMissing }
        (name, self.schema, serverVersion) = (found.name, schema, found.version)
    }

    deinit { reader.end() }

    /// Runs `body` on the snapshot.
    ///
    /// - Throws: `DatabaseError`, and the errors of `body`.
    package func read<T>(_ body: (any SQLReader) throws -> T) throws -> T { try translating { try body(reader) } }
}

/// Queries for databases of any version.
package struct SchemaChanges {
    /// The names of the changes of the tables that a database has, in the order in which they were applied; empty for a
    /// database that graphd has not written.
    package let names: [String]

    /// - Parameter reader: a reader of this engine.
    package init(_ reader: any SQLReader) throws {
        guard try reader.exists("SELECT 1 WHERE to_regclass('schema_change') IS NOT NULL", []) else {
            names = []
            return
        }
        names = try reader.rows("SELECT name FROM schema_change ORDER BY ordinal", []) { $0.text(0) }
    }
}

/// Runs `body`, whose failures of the driver become those of its callers.
func translating<T>(_ body: () throws -> T) throws -> T {
    do { return try body() } catch let failure as ServerFailure { throw failure.databaseError() }
}
