import Database
import PostgreSQLTestSupport
import TestSupport
import Testing

@testable import PostgreSQL

/// Several nodes with one database.
@Suite(.timeLimit(.process))
struct SequencerTests {
    /// Writes on two nodes at a time, one write after the other on each. Returns the number of failures.
    private static func write(
        _ count: Int, mechanisms: WriteMechanisms, _ body: (PostgreSQLFixture) async throws -> Void
    ) async throws -> Int {
        let failures = Taken()
        try await withPostgreSQL { fixture in
            let nodes = try (0..<2).map { _ in
                try PostgreSQLDatabase(
                    address: fixture.address, options: .tests, schema: .sample, hooks: nil,
                    times: GraphClock { 1_780_000_000_000 }, mechanisms: mechanisms, observingRoundTrips: {})
            }
            await withTaskGroup(of: Void.self) { group in
                for (number, node) in nodes.enumerated() {
                    group.addTask {
                        for round in 0..<count / nodes.count {
                            do {
                                try await node.writeEntry("\(number) \(round)")
                            } catch {
                                failures.note(Int64(round))
                            }
                        }
                    }
                }
            }
            try await body(fixture)
            for node in nodes { node.close() }
        }
        return failures.all.count
    }

    @Test
    func `ids of all nodes ascend in the order of the log, without gaps in it`() async throws {
        let failures = try await Self.write(400, mechanisms: WriteMechanisms()) { fixture in
            let log = try await fixture.log()
            #expect(log.map(\.place) == (1...400).map { $0 })
            #expect(zip(log, log.dropFirst()).allSatisfy { $0.id < $1.id })
        }
        #expect(failures == 0)
    }

    @Test
    func `without the sequencer row, nodes take the same ids and places`() async throws {
        var failures = 0
        // Until both have written at the same time: one may be held up until the other has ended.
        for _ in 0..<50 where failures == 0 {
            failures = try await Self.write(400, mechanisms: WriteMechanisms(takesSequencer: false)) { _ in }
        }
        #expect(failures > 0)
    }

    @Test
    func `without deferral, each statement is a round trip`() async throws {
        let trips = Taken()
        try await withPostgreSQL { fixture in
            let database = try PostgreSQLDatabase(
                address: fixture.address, options: .tests, schema: .sample, hooks: nil,
                times: GraphClock { 1_780_000_000_000 }, mechanisms: WriteMechanisms(defersStatements: false),
                observingRoundTrips: { trips.note(1) })
            defer { database.close() }
            let before = trips.all.count
            try await database.writeEntry("one")
            #expect(trips.all.count - before > 2)
        }
    }

    @Test
    func `a request that hides a statement's error is refused, and its neighbours are not`() async throws {
        try await withPostgreSQL { fixture in
            let outcomes = try await fixture.database.inOneGroup(
                { _ = try await fixture.database.writeEntry("before") },
                {
                    try await fixture.database.write { transaction in
                        try transaction.insertPerson(1)
                        _ = try? transaction.executeCounting("INSERT INTO person (id, name) VALUES (1, 'again')", [])
                    }
                },
                { _ = try await fixture.database.writeEntry("after") })
            #expect(outcomes.map { $0.error == nil } == [true, false, true])
            #expect(try await fixture.people() == [])
            #expect(try await fixture.log().map(\.place) == [1, 2])
        }
    }

    @Test
    func `a deferred error fails its own request in a group`() async throws {
        try await withPostgreSQL { fixture in
            try await fixture.database.write { try $0.insertPerson(1) }
            // No query follows the statement that fails, in its request or any other.
            let outcomes = try await fixture.database.inOneGroup(
                { try await fixture.database.write { try $0.insertPerson(2) } },
                { try await fixture.database.write { try $0.insertPerson(1) } },
                { try await fixture.database.write { try $0.insertPerson(3) } })
            #expect(outcomes.map { $0.error == nil } == [true, false, true])
            #expect(try await fixture.people() == [1, 2, 3])
        }
    }

    @Test
    func `a trigger's refusal fails one request`() async throws {
        try await withPostgreSQL { fixture in
            let id = try await fixture.database.writeEntry("kept")
            let error = await #expect(throws: DatabaseError.self) {
                try await fixture.database.write { try $0.execute("DELETE FROM entry WHERE id = ?1", [.integer(id)]) }
            }
            #expect("\(String(describing: error))".contains("entries are kept"))
        }
    }

    @Test
    func `bulk writes may reference rows that follow`() async throws {
        try await withPostgreSQL { fixture in
            try await fixture.database.writeBulk(outgrows: true) { transaction in
                try transaction.execute("INSERT INTO friend (person_id, other_id) VALUES (1, 2)", [])
                try transaction.insertPerson(1)
                try transaction.insertPerson(2)
            }
            #expect(try await fixture.people() == [1, 2])
            await #expect(throws: DatabaseError.self) {
                try await fixture.database.writeBulk(outgrows: false) { transaction in
                    try transaction.execute("INSERT INTO friend (person_id, other_id) VALUES (1, 9)", [])
                }
            }
        }
    }

    @Test
    func `a closed database answers with an error instead of hanging`() async throws {
        try await withPostgreSQL { fixture in
            fixture.database.close()
            for _ in 0..<3 {
                await #expect(throws: DatabaseError.self) { try await fixture.database.writeEntry("late") }
                await #expect(throws: DatabaseError.self) { try await fixture.people() }
            }
        }
    }
}

extension PostgreSQLFixture {
    /// The change log: places, and the ids that were logged.
    func log() async throws -> [(place: Int64, id: Int64)] {
        try await database.read { reader in
            try reader.rows("SELECT seq, subject FROM change ORDER BY seq", []) { ($0.integer(0), $0.integer(1)) }
        }
    }
}
