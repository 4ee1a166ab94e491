import Database
import GraphAssembly
import PostgreSQL
import SocialGraph
import TestSupport
import Testing

/// The tables of the graph on both engines.
@Suite(.timeLimit(.process))
struct TranslatedSchemaTests {
    /// Reads the schemas of two new graphs.
    private static func compare<T: Sendable>(
        sqlite: @escaping @Sendable (any SQLReader) throws -> T,
        postgreSQL: @escaping @Sendable (any SQLReader) throws -> T,
        _ check: (T, T) throws -> Void
    ) async throws {
        try await withGraph(on: .sqlite) { one in
            try await withGraph(on: .postgreSQL) { other in
                try check(try await one.database.read(sqlite), try await other.database.read(postgreSQL))
            }
        }
    }

    /// Tables of SQLite that are part of a full-text index.
    private static let isOwn = """
        type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'grdb_%'
        AND name NOT LIKE '%\\_text\\_%' ESCAPE '\\' AND name NOT IN ('post_word', 'account_word')
        """

    @Test
    func `each column has its type, and is required where it is`() async throws {
        try await Self.compare(
            sqlite: { reader in
                try reader.rows(
                    """
                    SELECT m.name, c.name, c.type, c."notnull" OR c.pk > 0
                    FROM sqlite_schema m, pragma_table_info(m.name) c
                    WHERE \(Self.isOwn.replacing("name", with: "m.name").replacing("type", with: "m.type"))
                    """, []
                ) { row in
                    // A full-text index requires nothing and has no types.
                    let isText = row.text(0).hasSuffix("_text")
                    let type =
                        ["INTEGER": "bigint", "REAL": "double precision", "BLOB": "bytea"][row.text(2)] ?? "text"
                    return "\(row.text(0)).\(row.text(1)) \(type) \(isText || row.integer(3) != 0)"
                }.sorted()
            },
            postgreSQL: { reader in
                try reader.rows(
                    """
                    SELECT table_name::text, column_name::text, data_type::text, is_nullable::text
                    FROM information_schema.columns
                    WHERE table_schema = current_schema() AND table_name NOT IN ('node', 'schema_change')
                    AND NOT (table_name LIKE '%_text' AND column_name IN ('id', 'words'))
                    """, []
                ) { "\($0.text(0)).\($0.text(1)) \($0.text(2)) \($0.text(3) == "NO")" }.sorted()
            }
        ) { ours, theirs in
            #expect(ours.count > 300)
            #expect(Set(ours).subtracting(theirs) == [])
            #expect(Set(theirs).subtracting(ours) == [])
        }
    }

    @Test
    func `texts are compared byte by byte`() async throws {
        try await withGraph(on: .postgreSQL) { fixture in
            let others = try await fixture.database.read { reader in
                try reader.rows(
                    """
                    SELECT table_name::text, column_name::text FROM information_schema.columns
                    WHERE table_schema = current_schema() AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'
                    """, []
                ) { "\($0.text(0)).\($0.text(1))" }
            }
            #expect(others == [])
        }
    }

    @Test
    func `the database of tests would order texts otherwise`() async throws {
        try await withGraph(on: .postgreSQL) { fixture in
            let orders = try await fixture.database.read { reader in
                try ["", " COLLATE \"C\""].map { collation in
                    try reader.rows(
                        "SELECT t FROM (VALUES ('b'), ('ä'), ('B'), ('a')) AS v (t) ORDER BY t\(collation)", []
                    ) { $0.text(0) }.joined()
                }
            }
            #expect(orders == ["aäbB", "Babä"])
        }
    }

    @Test
    func `names are ordered alike on both engines`() async throws {
        var orders: [[String]] = []
        for engine in [Engine.sqlite, .postgreSQL] {
            try await withGraph(on: engine) { fixture in
                for name in ["b", "ä", "B", "a", "Z", "_", "é", "z"] {
                    try await fixture.graph.settings.store(name, as: name)
                }
                orders.append(
                    try await fixture.database.read { reader in
                        try reader.rows(
                            "SELECT name FROM setting WHERE name > 'B' AND length(name) = 1 ORDER BY name", []
                        ) { $0.text(0) }
                    })
            }
        }
        #expect(orders[0] == orders[1] && orders[0].prefix(3) == ["Z", "_", "a"])
    }

    @Test
    func `each index is there, over the same columns`() async throws {
        try await Self.compare(
            sqlite: { reader in
                try reader.rows("SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL", []) {
                    Self.shape($0.text(0))
                }.sorted()
            },
            postgreSQL: { reader in
                try reader.rows(
                    """
                    SELECT indexdef FROM pg_indexes
                    WHERE schemaname = current_schema() AND indexname NOT IN (SELECT conname FROM pg_constraint)
                    AND indexdef LIKE '%USING btree%'
                    """, []
                ) { Self.shape($0.text(0)) }.sorted()
            }
        ) { ours, theirs in
            #expect(ours.count > 100)
            let known = Set(ours)
            #expect(Set(theirs.map { known.contains($0) ? $0 : Self.withoutKey($0) }) == known)
        }
    }

    /// SQLite's indexes end with the key without naming it.
    private static func withoutKey(_ shape: String) -> String {
        shape.replacing(#/,(?:id|seq|user_id)( partial)?$/#) { $0.output.1 ?? "" }
    }

    @Test
    func `each index of a table with an integer key has the key, except in the outbox`() async throws {
        try await withGraph(on: .postgreSQL) { fixture in
            let lacking = try await fixture.database.read { reader in
                try reader.rows(
                    """
                    SELECT i.indexrelid::regclass::text FROM pg_index i JOIN pg_index k ON k.indrelid = i.indrelid
                    JOIN pg_attribute a ON a.attrelid = k.indrelid AND a.attnum = k.indkey[0]
                    JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am m ON m.oid = c.relam
                    WHERE k.indisprimary AND k.indnkeyatts = 1 AND a.atttypid = 'bigint'::regtype AND a.attname = 'id'
                    AND NOT i.indisunique AND m.amname = 'btree' AND c.relnamespace = current_schema()::regnamespace
                    AND NOT k.indkey[0] = ANY (i.indkey) ORDER BY 1
                    """, []
                ) { $0.text(0) }
            }
            #expect(lacking == ["outbox_by_post", "outbox_by_user"])
        }
    }

    /// Name, table, columns and uniqueness of an index, and whether it is partial.
    private static func shape(_ sql: String) -> String {
        let parts = sql.replacing("public.", with: "").replacing(" USING btree", with: "")
            .replacing("CREATE ", with: "").split(separator: " WHERE ", maxSplits: 1)
        let columns = (parts.first ?? "").filter { !"() \n".contains($0) }
        return columns.replacing("\"", with: "") + (sql.contains("WHERE") ? " partial" : "")
    }

    @Test
    func `each table has as many keys, references, checks and triggers`() async throws {
        try await Self.compare(
            sqlite: { reader in
                try reader.rows(
                    """
                    SELECT name, sql, (SELECT COUNT(*) FROM pragma_foreign_key_list(m.name)),
                        (SELECT COUNT(*) FROM pragma_index_list(m.name) WHERE origin = 'u'),
                        (SELECT COUNT(*) FROM sqlite_schema t WHERE t.type = 'trigger' AND t.tbl_name = m.name)
                    FROM sqlite_schema m WHERE \(Self.isOwn)
                    """, []
                ) { row in
                    let checks = row.text(1).split(separator: "CHECK (").count - 1
                    return "\(row.text(0)) \(row.integer(2)) \(row.integer(3)) \(checks) \(row.integer(4))"
                }.sorted()
            },
            postgreSQL: { reader in
                try reader.rows(
                    """
                    SELECT relname::text, (SELECT COUNT(*) FROM pg_constraint WHERE conrelid = c.oid AND contype = 'f'),
                        (SELECT COUNT(*) FROM pg_constraint WHERE conrelid = c.oid AND contype = 'u'),
                        (SELECT COUNT(*) FROM pg_constraint WHERE conrelid = c.oid AND contype = 'c'),
                        (SELECT COUNT(*) FROM pg_trigger WHERE tgrelid = c.oid AND NOT tgisinternal),
                        (SELECT COUNT(*) FROM pg_constraint WHERE conrelid = c.oid AND contype = 'p')
                    FROM pg_class c WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
                    AND relname NOT IN ('node', 'schema_change')
                    """, []
                ) { row in
                    #expect(row.integer(5) == 1, "\(row.text(0)) has no primary key")
                    return "\(row.text(0)) \(row.integer(1)) \(row.integer(2)) \(row.integer(3)) \(row.integer(4))"
                }.sorted()
            }
        ) { ours, theirs in
            #expect(ours.count > 60)
            #expect(Set(ours).subtracting(theirs) == [])
            #expect(Set(theirs).subtracting(ours) == [])
        }
    }
}
