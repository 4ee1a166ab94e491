import TestSupport
import Testing

@testable import PostgreSQL

@Suite(.timeLimit(.unit))
struct ParameterNumberingTests {
    @Test(arguments: [
        ("SELECT ?1, ?12 FROM t WHERE a = ?2", "SELECT $1, $12 FROM t WHERE a = $2"),
        ("SELECT '?1', \"?2\", 'it''s ?3', ?4", "SELECT '?1', \"?2\", 'it''s ?3', $4"),
        ("SELECT ?1 -- is it ?2\n, ?3", "SELECT $1 -- is it ?2\n, $3"),
        ("SELECT a ? b, 'open ?1", "SELECT a ? b, 'open ?1"),
        ("", ""),
    ])
    func `numbered parameters are rewritten outside of quotes and comments`(sql: String, rewritten: String) {
        #expect(ParameterNumbering.postgreSQL(sql) == rewritten)
    }

    @Test
    func `the statement that has been unused for longest makes room`() {
        var statements = PreparedStatements(capacity: 2)
        func use(_ sql: String, _ types: [ParameterType] = []) -> PreparedStatements.Use {
            statements.use(.init(sql: sql, types: types))
        }
        let first = use("a")
        #expect(first.isNew && use("b").isNew && !use("a").isNew)
        let third = use("c")
        #expect(third.isNew && third.evicted != nil && third.evicted != first.name)
        #expect(!use("a").isNew)
        #expect(use("a", [.integer]).isNew, "other types make another statement")
        statements.forget(.init(sql: "a", types: [.integer]))
        #expect(use("a", [.integer]).isNew)
        #expect(statements.count == 2)
    }
}
