import Database
import PostgreSQLTestSupport
import TestSupport
import Testing

@testable import PostgreSQL

/// Requests that come while their node's group waits for another node.
@Suite(.timeLimit(.process))
struct LateComersTests {
    private static let count = 6

    /// Holds the sequencer row by another node, until one group waits for it and the requests after the first wait for
    /// that group. Returns the outcomes, and the number of groups and of round trips that they took.
    private static func write(
        _ mechanisms: WriteMechanisms = WriteMechanisms(),
        _ request: @escaping @Sendable (Int, PostgreSQLDatabase) async throws -> Void
    ) async throws -> (outcomes: [Result<Void, any Error>], groups: Int, trips: Int) {
        var found: ([Result<Void, any Error>], Int, Int)?
        try await withPostgreSQL { fixture in
            let trips = Taken()
            let node = try await onThread {
                try PostgreSQLDatabase(
                    address: fixture.address, options: .tests, schema: .sample, hooks: nil,
                    times: GraphClock { 1_780_000_000_000 }, mechanisms: mechanisms,
                    observingRoundTrips: { trips.note(1) })
            }
            let (groups, before) = (try await fixture.groups(), trips.all.count)
            let tasks = try await fixture.database.whileWriterIsHeld {
                var tasks: [Task<Void, any Error>] = [Task { try await request(0, node) }]
                while try await !fixture.hasWaiter() { await Task.yield() }
                for number in 1..<Self.count {
                    tasks.append(Task { try await request(number, node) })
                    while node.waitingWrites < number { await Task.yield() }
                }
                return tasks
            }
            var outcomes: [Result<Void, any Error>] = []
            for task in tasks { outcomes.append(await task.result) }
            let after = trips.all.count
            found = (outcomes, try await fixture.groups() - groups, after - before)
            try await onThread { node.close() }
        }
        return try #require(found)
    }

    @Test
    func `they join the group, which takes one round trip more if they read ahead`() async throws {
        let plain = try await Self.write { number, node in _ = try await node.writeEntry("\(number)") }
        #expect(plain.outcomes.allSatisfy { $0.error == nil })
        #expect(plain.groups == 1 && plain.trips == 2)
        let ahead = try await Self.write { number, node in
            let query = SQLQuery("SELECT ?1", [.integer(Int64(number % 3))])
            try await node.write(readingAhead: { [query] }) { transaction in
                let read = try transaction.rows("SELECT ?1", [.integer(Int64(number % 3))]) { $0.integer(0) }
                #expect(read == [Int64(number % 3)])
                try transaction.log(kind: 1, subject: Int64(number), object: 0)
            }
        }
        #expect(ahead.outcomes.allSatisfy { $0.error == nil })
        #expect(ahead.groups == 1 && ahead.trips == 3)
    }

    @Test
    func `one that fails is refused alone`() async throws {
        let found = try await Self.write { number, node in
            try await node.write { transaction in
                try transaction.insertPerson(number == 4 ? 1 : Int64(number))
                try transaction.log(kind: 1, subject: Int64(number), object: 0)
            }
        }
        #expect(found.outcomes.map { $0.error == nil } == [true, true, true, true, false, true])
        #expect(found.groups == 1)
    }

    @Test
    func `without this mechanism they wait for the next group`() async throws {
        let found = try await Self.write(WriteMechanisms(admitsLateComers: false)) { number, node in
            _ = try await node.writeEntry("\(number)")
        }
        #expect(found.outcomes.allSatisfy { $0.error == nil })
        #expect(found.groups == 2)
    }
}

extension PostgreSQLFixture {
    /// Groups of the change log.
    fileprivate func groups() async throws -> Int {
        try await database.read { try $0.rows("SELECT count(*) FROM change_group", []) { Int($0.integer(0)) }[0] }
    }

    /// True while a connection to this database waits for a row that another has locked.
    fileprivate func hasWaiter() async throws -> Bool {
        try await database.read { reader in
            try reader.exists(
                """
                SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
                """, [])
        }
    }
}
