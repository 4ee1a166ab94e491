import GRDB

/// Numbered, append-only migrations, one file each. A data directory of a newer graphd is refused.
enum SchemaMigrator {
    static func migrate(_ pool: DatabasePool) throws {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("001-graph-posts-outbox") { try $0.execute(sql: Schema001.sql) }
        migrator.registerMigration("002-every-feed", migrate: Schema002.migrate)
        migrator.registerMigration("003-accounts-content-engagement", migrate: Schema003.migrate)
        migrator.registerMigration("004-discovery", migrate: Schema004.migrate)
        migrator.registerMigration("005-moderation", migrate: Schema005.migrate)
        migrator.registerMigration("006-merges-apart") { try $0.execute(sql: Schema006.sql) }
        migrator.registerMigration("007-people-not-acts") { try $0.execute(sql: Schema007.sql) }
        migrator.registerMigration("008-known-addresses") { try $0.execute(sql: Schema008.sql) }
        migrator.registerMigration("009-auto-acceptance") { try $0.execute(sql: Schema009.sql) }
        migrator.registerMigration("010-moderation-scopes", migrate: Schema010.migrate)
        migrator.registerMigration("011-numbers-newest-first") { try $0.execute(sql: Schema011.sql) }
        migrator.registerMigration("012-media-usage") { try $0.execute(sql: Schema012.sql) }
        migrator.registerMigration("013-logins") { try $0.execute(sql: Schema013.sql) }
        if try pool.read(migrator.hasBeenSuperseded) {
            throw GraphError.storage(
                detail: "the database was written by a newer graphd; use that version or a new data directory")
        }
        try migrator.migrate(pool)
    }
}
