import Database
import TestSupport
import Testing

@Suite(.timeLimit(.unit))
struct RowInsertionTests {
    private static let rows = RowInsertion(into: "numbers", ["ordinal": .integer, "name": .text])

    @Test(arguments: [0, 1, 2, 3, 7, 31, 32, 33, 64, 95])
    func `any number of rows is inserted once and in order`(count: Int) async throws {
        try await withGraph { fixture in
            let stored = try await fixture.database.write { transaction in
                try transaction.execute("CREATE TEMPORARY TABLE numbers (ordinal BIGINT PRIMARY KEY, name TEXT)", [])
                for ordinal in 0..<count / 2 {
                    try transaction.insert(Self.rows, [.integer(Int64(ordinal)), .text("n\(ordinal)")])
                }
                let rest = (count / 2..<count).flatMap { [SQLValue.integer(Int64($0)), .text("n\($0)")] }
                try transaction.insert(Self.rows, rest)
                let stored = try transaction.rows("SELECT ordinal, name FROM numbers ORDER BY ordinal", []) {
                    "\($0.integer(0)) \($0.text(1))"
                }
                try transaction.execute("DROP TABLE numbers", [])
                return stored
            }
            #expect(stored == (0..<count).map { "\($0) n\($0)" })
        }
    }

    @Test
    func `a statement has as many rows as a power of two`() {
        #expect(Self.rows.statements.count == 6)
        #expect(
            Self.rows.statements[1] == "INSERT INTO numbers (ordinal, name) VALUES (?1, ?2), (?3, ?4)")
    }
}
