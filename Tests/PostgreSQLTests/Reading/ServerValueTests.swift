import Database
import PostgreSQL
import PostgreSQLTestSupport
import TestSupport
import Testing

@Suite(.timeLimit(.process))
struct ServerValueTests {
    @Test
    func `the planner knows what the tables hold once it was told`() async throws {
        try await withPostgreSQL { fixture in
            let database = fixture.database
            try await database.write { transaction in
                try transaction.execute(
                    "INSERT INTO person (id, name) SELECT n, 'name ' || n FROM generate_series(1, 500) n", [])
            }
            let size = "SELECT reltuples::bigint FROM pg_class WHERE oid = 'person'::regclass"
            let before = try await database.read { try $0.first(size, []) { $0.integer(0) } }
            await database.analyze()
            let after = try await database.read { try $0.first(size, []) { $0.integer(0) } }
            #expect((before, after) == (-1, 500))
        }
    }

    @Test
    func `values return as they were sent`() async throws {
        try await withPostgreSQL { fixture in
            let pictures: [[UInt8]?] = [nil, [], [0, 255, 39, 92]]
            for (id, picture) in pictures.enumerated() {
                try await fixture.database.write { transaction in
                    try transaction.execute(
                        "INSERT INTO person (id, name, height, picture, age) VALUES (?1, ?2, ?3, ?4, ?5)",
                        [
                            .integer(Int64(id)), .text("Zoë '\(id)' \\"), .real(1.75),
                            picture.map(SQLValue.blob) ?? .null, id == 0 ? .null : .integer(.max),
                        ])
                }
            }
            let rows = try await fixture.database.read { reader in
                try reader.rows("SELECT id, name, height, picture, age FROM person ORDER BY id", []) { row in
                    (row.integer(0), row.text(1), row.optionalReal(2), row.optionalBlob(3), row.optionalInteger(4))
                }
            }
            #expect(rows.map(\.0) == [0, 1, 2])
            #expect(rows.map(\.1) == ["Zoë '0' \\", "Zoë '1' \\", "Zoë '2' \\"])
            #expect(rows.map(\.2) == [1.75, 1.75, 1.75])
            #expect(rows.map(\.3) == pictures)
            #expect(rows.map(\.4) == [nil, .max, .max])
        }
    }

    @Test(
        arguments: [
            ("true", 1), ("EXISTS (SELECT 1 FROM person)", 0), ("7::smallint", 7), ("-7::int", -7), ("count(*)", 0),
            ("sum(v)", 15_000_000_000_000_000), ("-sum(v)", -15_000_000_000_000_000), ("sum(0::bigint)", 0),
            ("max(v) / 2 * 0 + 9", 9),
        ] as [(String, Int64)])
    func `integers of every width are read as integers`(expression: String, value: Int64) async throws {
        try await withPostgreSQL { fixture in
            let values = "(VALUES (5000000000000000), (10000000000000000)) AS t (v)"
            let source = expression == "count(*)" ? "person" : values
            let found = try await fixture.database.read { reader in
                try reader.first("SELECT \(expression) FROM \(source)", []) { $0.integer(0) }
            }
            #expect(found == value)
        }
    }

    @Test(arguments: [
        ("1.5::float4", 1.5), ("avg(v)", 2.5), ("-avg(v)", -2.5), ("0.1::numeric", 0.1), ("sum(v)", 5),
        ("12345678.0625", 12_345_678.0625), ("0.00001::numeric", 0.000_01), ("10000::numeric", 10_000),
        ("123456789012345678901234567890", 1.2345678901234568e29),
    ])
    func `numbers are read as reals`(expression: String, value: Double) async throws {
        try await withPostgreSQL { fixture in
            let found = try await fixture.database.read { reader in
                try reader.first("SELECT \(expression) FROM (VALUES (2), (3)) AS t (v)", []) { $0.optionalReal(0) }
            }
            #expect(found == value)
        }
    }
}
