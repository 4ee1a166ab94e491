import Database
import PostgreSQLTestSupport
import TestSupport
import Testing

@testable import PostgreSQL

/// Notices by which nodes hear of each other's commits.
@Suite(.timeLimit(.process))
struct CommitNoticesTests {
    /// Far longer than a notice takes.
    private static let forEver = Duration.seconds(3_600)
    private static let moment = Duration.milliseconds(200)

    @Test
    func `a node hears of others' commits at once and not of its own`() async throws {
        try await withPostgreSQL { fixture in
            let (node, other) = (fixture.database, try Self.node(fixture))
            defer { other.close() }
            // It listens from here on.
            await node.awaitOthers(atMost: Self.forEver)
            for round in 0..<3 {
                try await node.writeEntry("own \(round)")
                #expect(await Self.lasts(Self.moment, node), "a notice of its own")
                try await other.writeEntry("other \(round)")
                await node.awaitOthers(atMost: Self.forEver)
            }
        }
    }

    @Test
    func `without notices a node hears of nothing`() async throws {
        try await withPostgreSQL { fixture in
            let other = try Self.node(fixture, WriteMechanisms(wakesOthers: false))
            defer { other.close() }
            await fixture.database.awaitOthers(atMost: Self.forEver)
            try await other.writeEntry("other")
            #expect(await Self.lasts(Self.moment, fixture.database))
        }
    }

    @Test
    func `a node listens again after its connection was cut`() async throws {
        try await withPostgreSQL { fixture in
            let (node, other) = (fixture.database, try Self.node(fixture))
            defer { other.close() }
            await node.awaitOthers(atMost: Self.forEver)
            for round in 0..<3 {
                try await fixture.server.end(connectionsTo: fixture.address["dbname"] ?? "")
                // A signal to look for what was committed meanwhile.
                await node.awaitOthers(atMost: Self.forEver)
                try await other.writeEntry("other \(round)")
                await node.awaitOthers(atMost: Self.forEver)
            }
        }
    }

    @Test
    func `a wait ends with its task and with the database`() async throws {
        try await withPostgreSQL { fixture in
            let node = try Self.node(fixture)
            await node.awaitOthers(atMost: Self.forEver)
            let wait = Task { await node.awaitOthers(atMost: Self.forEver) }
            wait.cancel()
            await wait.value
            node.close()
            #expect(await Self.lasts(Self.moment, node))
        }
    }

    private static func node(
        _ fixture: PostgreSQLFixture, _ mechanisms: WriteMechanisms = WriteMechanisms()
    ) throws -> PostgreSQLDatabase {
        try PostgreSQLDatabase(
            address: fixture.address, options: .tests, schema: .sample, hooks: nil,
            times: GraphClock { 1_780_000_000_000 }, mechanisms: mechanisms, observingRoundTrips: {})
    }

    /// Returns whether a wait lasts as long as it may.
    private static func lasts(_ limit: Duration, _ node: PostgreSQLDatabase) async -> Bool {
        let start = ContinuousClock.now
        await node.awaitOthers(atMost: limit)
        return ContinuousClock.now - start >= limit
    }
}
