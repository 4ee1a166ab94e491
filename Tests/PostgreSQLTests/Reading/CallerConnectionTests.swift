import Database
import PostgreSQLTestSupport
import TestSupport
import Testing

@testable import PostgreSQL

/// Questions that callers ask with their own threads.
@Suite(.timeLimit(.process))
struct CallerConnectionTests {
    @Test(.timeLimit(.unit))
    func `rests double while they are needed again soon, and begin anew after a while`() {
        var rest = GrowingRest(shortest: .milliseconds(16), longest: .milliseconds(100))
        var now = ContinuousClock.now
        #expect(rest.end <= now)
        var lengths: [Duration] = []
        // The time from the end of a rest to the next one.
        for pause in [0, 159, 319, 639, 999, 1_000, 159, 320] {
            now += .milliseconds(pause)
            rest.begin(at: now)
            lengths.append(rest.end - now)
            now = rest.end
        }
        #expect(lengths == [16, 32, 64, 100, 100, 16, 32, 16].map { .milliseconds($0) })
        rest.beginLongest(at: now)
        #expect(rest.end == now + .milliseconds(100))
    }

    @Test func `a lone question sees what was committed before it`() async throws {
        try await withPostgreSQL { fixture in
            let database = fixture.database
            for id in 1...200 as ClosedRange<Int64> {
                try await database.write { try $0.insertPerson(id) }
                let latest = try await first("SELECT id FROM person ORDER BY id DESC LIMIT 1", database)
                #expect(latest == id)
            }
            let nobody = try await first("SELECT id FROM person WHERE id = 0", database)
            #expect(nobody == nil)
            let answer = try await answer(1, database.callers)
            #expect(answer == 1, "the connection is in use")
        }
    }

    @Test func `an answer that is late is discarded, and the next question gets its own`() async throws {
        try await withPostgreSQL { fixture in
            let callers = fixture.database.callers
            let holder = try ConnectionSource(address: fixture.address, timeouts: .tests, noteRoundTrip: {})
                .connection(for: .reader)
            for number in 1...3 as ClosedRange<Int64> {
                let found = try await answer(number, callers)
                #expect(found == number)
                _ = try holder.exchange([ServerCommand("SELECT pg_advisory_lock(7)::text")])
                let late = try await ask("SELECT 0 FROM (SELECT pg_advisory_xact_lock(7)) AS held", callers)
                #expect(late == nil)
                _ = try holder.exchange([ServerCommand("SELECT pg_advisory_unlock(7)::text")])
            }
        }
    }

    @Test func `a question that the server refuses fails, and the next one is answered`() async throws {
        try await withPostgreSQL { fixture in
            let database = fixture.database
            for number in 1...3 as ClosedRange<Int64> {
                let found = try await answer(number, database.callers)
                #expect(found == number)
                await #expect(throws: DatabaseError.self) { _ = try await first("SELECT 1 / 0", database) }
            }
        }
    }

    @Test func `a lone question is answered after its connection was cut`() async throws {
        try await withPostgreSQL { fixture in
            let database = fixture.database
            for number in 1...3 as ClosedRange<Int64> {
                let before = try await answer(number, database.callers)
                try await fixture.server.end(connectionsTo: fixture.address["dbname"] ?? "")
                let after = try await first("SELECT \(number)", database)
                #expect((before, after) == (number, number))
            }
        }
    }

    @Test func `questions of many callers at once are all answered`() async throws {
        try await withPostgreSQL { fixture in
            let database = fixture.database
            try await withThrowingTaskGroup(of: Void.self) { group in
                for caller in 0..<8 as Range<Int64> {
                    group.addTask {
                        for round in 0..<100 as Range<Int64> {
                            let number = caller * 1_000 + round
                            let found = try await first("SELECT \(number)", database)
                            #expect(found == number)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}

private func first(_ sql: String, _ database: PostgreSQLDatabase) async throws -> Int64? {
    try await database.first(SQLQuery(sql, []), isAlone: true) { $0.integer(0) }
}

private func ask(_ sql: String, _ callers: CallerConnection) async throws -> Int64?? {
    try await onThread { try callers.ask(SQLQuery(sql, [])) { $0.integer(0) }.map(\.row) }
}

/// Asks for `number` until the connection of callers answers. A wrong answer counts, too.
private func answer(_ number: Int64, _ callers: CallerConnection) async throws -> Int64? {
    while true {
        if let row = try await ask("SELECT \(number)", callers) { return row }
        // Not for synchronisation: the pause between two polls.
        try await Task.sleep(for: .milliseconds(5))
    }
}
