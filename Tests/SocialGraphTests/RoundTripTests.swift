import Database
import Synchronization
import Testing

@testable import SocialGraph

/// What an operation would cost an engine behind a network, where each round trip takes as long as many statements.
@Suite(.timeLimit(.minutes(20)))
struct RoundTripTests {
    @Test
    func `several queries fetched at once hand out the rows of each`() async throws {
        try await withGraph { fixture in
            let (ada, bob) = (try await fixture.user("ada"), try await fixture.user("bob"))
            let names = try await fixture.database.read { reader in
                try reader.rows(of: [Self.name(of: bob), Self.name(of: UserID(rawValue: 1)), Self.name(of: ada)]) {
                    $0.text(0)
                }
            }
            #expect(names == [["bob"], [], ["ada"]])
            let first = try await fixture.database.write { transaction in
                try transaction.first(of: [Self.everybody, Self.name(of: bob)]) { $0.text(0) }
            }
            #expect(first == ["ada", "bob"])
        }
    }

    @Test
    func `a query, a fetch and a counted statement are a round trip each, others ride along`() async throws {
        try await withGraph { fixture in
            let ada = try await fixture.user("ada")
            let rename = "UPDATE account SET username = 'eve' WHERE id = ?1"
            let trips = try await Self.roundTrips(on: fixture) { graph in
                try await graph.database.write { transaction in
                    try transaction.execute(rename, [.user(ada)])
                    #expect(try transaction.first(Self.everybody.sql, []) { $0.text(0) } == "eve")
                    #expect(try transaction.rows(of: [Self.everybody, Self.name(of: ada)]) { $0.text(0) }.count == 2)
                    #expect(try transaction.rows(of: []) { $0.text(0) } == [])
                    #expect(try transaction.executeCounting(rename, [.user(ada)]) == 1)
                }
            }
            #expect(trips == 3)
        }
    }

    private static let everybody = SQLQuery("SELECT username FROM account ORDER BY id", [])

    private static func name(of user: UserID) -> SQLQuery {
        SQLQuery("SELECT username FROM account WHERE id = ?1", [.user(user)])
    }

    /// What `body` costs.
    static func roundTrips(
        on fixture: GraphFixture, _ body: (GraphStore) async throws -> Void
    ) async throws -> Int {
        let trips = Trips()
        try await body(GraphStore(database: CountedDatabase(fixture.database) { trips.note() }))
        return trips.count
    }
}

private final class Trips: Sendable {
    private let noted = Mutex(0)

    var count: Int { noted.withLock { $0 } }

    func note() { noted.withLock { $0 += 1 } }
}
