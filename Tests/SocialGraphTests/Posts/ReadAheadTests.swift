import Database
import SocialGraph
import Synchronization
import TestSupport
import Testing

/// Results that writes read ahead on PostgreSQL, compared with the same queries asked when the results are used.
@Suite(.timeLimit(.process))
struct ReadAheadTests {
    @Test(arguments: [1, 2, 3, 4])
    func `what was read ahead is still true when it is used`(seed: UInt64) async throws {
        var generator = SplitMix64(seed: seed)
        try await Self.withComparedGraph { graph, database, comparison in
            var users: [UserID] = []
            for number in 0..<6 {
                users.append(
                    try await graph.accounts.createAccount(username: "u\(number)", email: nil, passwordHash: nil).id)
            }
            for round in 0..<25 {
                let acts = (0..<12).map { Self.act(round * 12 + $0, users, graph, using: &generator) }
                for result in try await database.inOneGroup(acts) {
                    guard let error = result.error else { continue }
                    #expect(error as? GraphError == .accountNotFound || error is BodyFailure, "\(error)")
                }
            }
            #expect(comparison.compared > 100)
            #expect(comparison.differences == [])
        }
    }

    @Test
    func `a result that another write with results read ahead changes is noticed`() async throws {
        try await Self.withComparedGraph { graph, database, comparison in
            let user = try await graph.accounts.createAccount(username: "ada", email: nil, passwordHash: nil).id
            let query = SQLQuery("SELECT posts_count FROM account WHERE id = ?1", [.user(user)])
            let count: @Sendable () async throws -> Void = {
                try await graph.database.write(readingAhead: { [query] }) { transaction in
                    _ = try transaction.first(of: [query]) { $0.integer(0) }
                    try transaction.execute("UPDATE account SET posts_count = 7 WHERE id = ?1", [.user(user)])
                }
            }
            _ = try await database.inOneGroup([count, count])
            #expect(comparison.differences.count == 1)
        }
    }

    private struct BodyFailure: Error {}

    /// An act that makes one write.
    private static func act(
        _ number: Int, _ users: [UserID], _ graph: GraphStore, using generator: inout SplitMix64
    ) -> @Sendable () async throws -> Void {
        let user = users.randomElement(using: &generator) ?? users[0]
        let tags = (0..<3).map { _ in "tag\(Int.random(in: 0...number / 8, using: &generator))" }
        func change(_ sql: String, _ arguments: SQLValue...) -> @Sendable () async throws -> Void {
            { try await graph.database.write { try $0.execute(sql, arguments) } }
        }
        switch Int.random(in: 0..<20, using: &generator) {
        case 0: return change("UPDATE account SET username = ?2 WHERE id = ?1", .user(user), .text("n\(number)"))
        case 1: return change("UPDATE account SET suspended_at = 1 WHERE id = ?1", .user(user))
        case 2: return change("UPDATE account SET suspended_at = NULL, deleted_at = NULL WHERE id = ?1", .user(user))
        case 3: return change("UPDATE account SET deleted_at = 1 WHERE id = ?1", .user(user))
        case 4: return { try await graph.database.write { _ in throw BodyFailure() } }
        default:
            return {
                var post = NewPost.sample(user, "post \(number)")
                post.algorithmTags = tags
                post.category = tags[0]
                _ = try await graph.posts.publish(post)
            }
        }
    }

    private static func withComparedGraph(
        _ body: (GraphStore, any TestDatabase, Comparison) async throws -> Void
    ) async throws {
        try await withGraphLocation(on: .postgreSQL) { location in
            let database = try await onThread { try location.open() }
            let comparison = Comparison()
            try await closing(database) {
                try await body(
                    GraphStore(database: ComparingDatabase(inner: database, comparison: comparison)), database,
                    comparison)
            }
        }
    }
}

/// Results that have been compared.
private final class Comparison: Sendable {
    private struct State {
        var compared = 0
        var differences: [String] = []
    }

    private let state = Mutex(State())

    var compared: Int { state.withLock(\.compared) }
    var differences: [String] { state.withLock(\.differences) }

    func compare(_ used: [String], _ fresh: [String], _ sql: String) {
        state.withLock { state in
            state.compared += 1
            if used != fresh { state.differences.append("\(sql): \(used), not \(fresh)") }
        }
    }
}

/// A database that asks again whatever is read ahead.
private struct ComparingDatabase: ForwardingDatabase {
    let inner: any GraphDatabase
    let comparison: Comparison

    func write<T: Sendable>(
        readingAhead queries: @escaping @Sendable () -> [SQLQuery],
        _ body: @escaping @Sendable (any GraphTransaction) throws -> T
    ) async throws -> T {
        try await inner.write(readingAhead: queries) { transaction in
            for query in queries() {
                // The driver knows the text; with a space it is another query.
                let texts = try [query, SQLQuery(query.sql + " ", query.arguments)].map { query in
                    try transaction.rows(of: [query]) { row in
                        (0..<4).map { row.optionalText($0) ?? "NULL" }.joined(separator: " ")
                    }[0]
                }
                comparison.compare(texts[0], texts[1], query.sql)
            }
            return try body(transaction)
        }
    }
}
