import Database
import PostgreSQL
import PostgreSQLTestSupport
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.process))
struct PipelineTests {
    /// Counts the round trips of a database.
    private final class Trips: Sendable {
        private let noted = Mutex(0)

        func note() { noted.withLock { $0 += 1 } }

        func count(of body: () async throws -> Void) async throws -> Int {
            let before = noted.withLock { $0 }
            try await body()
            return noted.withLock { $0 } - before
        }
    }

    @Test
    func `statements without a result travel with the commit, and queries of a fetch together`() async throws {
        let trips = Trips()
        try await withPostgreSQL(observingRoundTrips: trips.note) { fixture in
            let database = fixture.database
            try await database.write { _ in }
            let written = try await trips.count {
                try await database.write { transaction in
                    for id in 1...50 { try transaction.insertPerson(Int64(id)) }
                }
            }
            #expect(written == 2, "BEGIN with the sequencer row, and COMMIT with everything else")
            let updated = try await trips.count {
                try await database.write { transaction in
                    try transaction.execute("UPDATE person SET age = 1 WHERE id = 1", [])
                    #expect(try transaction.executeCounting("UPDATE person SET age = 2 WHERE id < 4", []) == 3)
                    #expect(try transaction.exists("SELECT 1 FROM person WHERE age = 1", []) == false)
                }
            }
            #expect(updated == 4)
            let fetched = try await trips.count {
                let names = try await database.read { reader in
                    let queries = (1...20).map { SQLQuery("SELECT name FROM person WHERE id = ?1", [.integer($0)]) }
                    return try reader.first(of: queries) { $0.text(0) }
                }
                #expect(names == (1...20).map { "person \($0)" })
            }
            #expect(fetched == 1)
        }
    }

    @Test
    func `a deferred statement's error is thrown by the next query`() async throws {
        try await withPostgreSQL { fixture in
            try await fixture.database.write { try $0.insertPerson(1) }
            let error = await #expect(throws: DatabaseError.self) {
                try await fixture.database.write { transaction in
                    try transaction.insertPerson(1)
                    try transaction.insertPerson(2)
                    _ = try transaction.exists("SELECT 1 FROM person", [])
                    Issue.record("the query was answered")
                }
            }
            #expect(error.map { "\($0)".contains("23505") } == true)
            #expect(try await fixture.people() == [1])
        }
    }

    @Test
    func `a row closure may stop, throw, or query again`() async throws {
        struct Enough: Error {}
        try await withPostgreSQL { fixture in
            try await fixture.database.write { transaction in
                for id in 1...500 { try transaction.insertPerson(Int64(id)) }
            }
            let found = try await fixture.database.read { reader in
                var seen: [Int64] = []
                #expect(throws: Enough.self) {
                    try reader.forEach("SELECT id FROM person ORDER BY id", []) { row in
                        if row.integer(0) == 2 { throw Enough() }
                        return true
                    }
                }
                try reader.forEach("SELECT id FROM person ORDER BY id", []) { row in
                    let id = row.integer(0)
                    let query = "SELECT id FROM person WHERE id > ?1 ORDER BY id LIMIT 1"
                    let next = try reader.first(query, [.integer(id)]) { $0.integer(0) }
                    #expect(next == id + 1)
                    seen.append(id)
                    return seen.count < 3
                }
                return seen
            }
            #expect(found == [1, 2, 3])
        }
    }

    @Test
    func `more statements than the cache holds are prepared again`() async throws {
        try await withPostgreSQL { fixture in
            for round in 0..<2 {
                let sum = try await fixture.database.read { reader in
                    try (0..<1_500).reduce(0) { sum, number in
                        try sum + (reader.first("SELECT \(number) + ?1", [.integer(1)]) { $0.integer(0) } ?? 0)
                    }
                }
                #expect(sum == 1_500 * 1_501 / 2, "\(round)")
            }
        }
    }

    @Test
    func `large results and arguments pass through`() async throws {
        try await withPostgreSQL { fixture in
            let long = String(repeating: "größer ", count: 300_000)
            try await fixture.database.write { transaction in
                for id in 1...8 {
                    try transaction.execute(
                        "INSERT INTO entry (id, text) VALUES (?1, ?2)", [.integer(Int64(id)), .text(long)])
                }
            }
            let lengths = try await fixture.database.read { reader in
                try reader.rows(of: (1...8).map { SQLQuery("SELECT text FROM entry WHERE id = ?1", [.integer($0)]) }) {
                    $0.text(0).utf8.count
                }
            }
            #expect(lengths == [[Int]](repeating: [long.utf8.count], count: 8))
        }
    }
}

extension GraphTransaction {
    func insertPerson(_ id: Int64) throws {
        try execute("INSERT INTO person (id, name) VALUES (?1, ?2)", [.integer(id), .text("person \(id)")])
    }
}

extension PostgreSQLFixture {
    func people() async throws -> [Int64] {
        try await database.read { try $0.rows("SELECT id FROM person ORDER BY id", []) { $0.integer(0) } }
    }
}
