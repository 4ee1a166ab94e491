import GRDB

/// Append-only migrations, each named after its release and topic. Databases of a graphd before 0.1.0, or of a newer
/// one, are refused.
struct SchemaMigrator {
    /// The first migration of graphds before 0.1.0.
    static let firstUnreleased = "001-graph-posts-outbox"

    let schema: DatabaseSchema

    func migrate(_ pool: DatabasePool) throws {
        var migrator = DatabaseMigrator()
        migrator.registerMigration(DatabaseSchema.firstRelease) { [tables = schema.tables] in
            try $0.execute(sql: tables)
        }
        for change in schema.changes {
            migrator.registerMigration(change.name) { try $0.execute(sql: change.statements) }
        }
        let (applied, isNewer) = try pool.read { database in
            (try migrator.appliedIdentifiers(database), try migrator.hasBeenSuperseded(database))
        }
        if applied.contains(Self.firstUnreleased) {
            throw DatabaseError.storage(
                detail: "the database was written by a graphd before 0.1.0, which this version cannot read; export the "
                    + "users' data with that version (GET /v1/me/export), and import follows and posts into a new data "
                    + "directory (graphd import follows, graphd import posts)")
        }
        if isNewer {
            throw DatabaseError.storage(
                detail: "the database was written by a newer graphd; use that version or a new data directory")
        }
        try migrator.migrate(pool)
    }
}
