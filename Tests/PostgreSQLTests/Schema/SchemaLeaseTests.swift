import Database
import PostgreSQLTestSupport
import TestSupport
import Testing

@testable import PostgreSQL

/// Changes of tables that a server may be using.
@Suite(.timeLimit(.process))
struct SchemaLeaseTests {
    private static let owner: Int64 = 7
    private static let lease = "serving"

    /// Opens the database with the newer tables, like a node that is about to serve it.
    private static func open(
        _ fixture: PostgreSQLFixture, _ schema: DatabaseSchema = .laterSample(), endedOwner: Int64? = nil,
        statement: Duration = PostgreSQLTimeouts.tests.statement
    ) async throws {
        var options = PostgreSQLOptions.tests
        options.lease = ServingLease(name: lease, endedOwner: endedOwner)
        options.timeouts.statement = statement
        options.timeouts.answer = statement + .milliseconds(100)
        let (chosen, address, clock) = (options, fixture.address, fixture.clock)
        try await onThread {
            try PostgreSQLDatabase(address: address, options: chosen, schema: schema, clock: { clock.now }).close()
        }
    }

    private static func changes(_ fixture: PostgreSQLFixture) async throws -> Int {
        try await fixture.database.read { try $0.rows("SELECT name FROM schema_change", []) { $0.text(0) } }.count
    }

    private static func entries(_ fixture: PostgreSQLFixture) async throws -> Int {
        try await fixture.database.read { try $0.rows("SELECT count(*) FROM entry", []) { Int($0.integer(0)) }[0] }
    }

    /// Runs `body` with a database whose server has just taken its lease.
    private static func withServed(_ body: (PostgreSQLFixture, LeaseStore, Lease) async throws -> Void) async throws {
        try await withPostgreSQL { fixture in
            let leases = LeaseStore(database: fixture.database)
            let taken = try await leases.acquire(
                lease, for: owner, length: LeaseTerms.serving.length, from: .mayLive)
            try await body(fixture, leases, taken)
        }
    }

    @Test func `tables of a server that renews its lease are not changed`() async throws {
        try await Self.withServed { fixture, leases, taken in
            let before = try await Self.changes(fixture)
            let refusal = try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    while !Task.isCancelled {
                        fixture.clock.advance(by: 1)
                        try await leases.renew(Self.lease, taken.epoch, length: LeaseTerms.serving.length)
                    }
                }
                let refusal = await #expect(throws: DatabaseError.self) { try await Self.open(fixture) }
                group.cancelAll()
                try await group.waitForAll()
                return refusal
            }
            #expect("\(String(describing: refusal))".contains("stop it first"), "\(String(describing: refusal))")
            #expect(try await Self.changes(fixture) == before)
            #expect(try await leases.lease(Self.lease)?.epoch == taken.epoch)
        }
    }

    @Test func `a lease that is not renewed is waited for and then ended`() async throws {
        try await Self.withServed { fixture, leases, taken in
            async let opened: Void = Self.open(fixture)
            fixture.clock.advance(by: LeaseTerms.serving.length)
            try await opened
            #expect(try await Self.changes(fixture) > 1)
            let last = try #require(try await leases.lease(Self.lease))
            #expect(last.epoch == taken.epoch + 1 && last.endsAt == 0 && last.owner == Self.owner)
            // The former server, if it was only slow, notices.
            await #expect(throws: LeaseLost.self) {
                try await leases.renew(Self.lease, taken.epoch, length: LeaseTerms.serving.length)
            }
        }
    }

    @Test func `the lease of a server that has provably ended is not waited for`() async throws {
        try await Self.withServed { fixture, leases, taken in
            try await Self.open(fixture, endedOwner: Self.owner)
            #expect(try await leases.lease(Self.lease)?.epoch == taken.epoch + 1)
        }
    }

    @Test func `tables of a node among several are not changed while it lives`() async throws {
        try await withPostgreSQL { fixture in
            let leases = LeaseStore(database: fixture.database)
            let name = ServingNode.lease(of: Self.owner)
            let taken = try await leases.acquire(name, for: Self.owner, length: LeaseTerms.node.length, from: .mayLive)
            let before = try await Self.changes(fixture)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    while !Task.isCancelled {
                        fixture.clock.advance(by: 1)
                        try await leases.renew(name, taken.epoch, length: LeaseTerms.node.length)
                    }
                }
                await #expect(throws: DatabaseError.self) { try await Self.open(fixture) }
                group.cancelAll()
                try await group.waitForAll()
            }
            #expect(try await Self.changes(fixture) == before)
            fixture.clock.advance(by: LeaseTerms.node.length + 1)
            try await Self.open(fixture)
            #expect(try await Self.changes(fixture) > before)
            await #expect(throws: LeaseLost.self) {
                try await leases.renew(name, taken.epoch, length: LeaseTerms.node.length)
            }
        }
    }

    @Test func `tables that need no change are opened beside a server`() async throws {
        try await Self.withServed { fixture, leases, taken in
            try await Self.open(fixture, .sample)
            #expect(try await leases.lease(Self.lease) == taken)
        }
    }

    @Test func `an additive change is made beside a server that goes on reading and writing`() async throws {
        try await Self.withServed { fixture, leases, taken in
            let state = Guarded((written: 0, isOver: false))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        while !state.withLock(\.isOver) {
                            try await fixture.database.writeEntry("beside the change")
                            state.withLock { $0.written += 1 }
                            _ = try await Self.entries(fixture)
                        }
                    }
                }
                while state.withLock(\.written) < 20 { await Task.yield() }
                let additions = """
                    ALTER TABLE entry ADD COLUMN later INTEGER;
                    CREATE TABLE addition (id INTEGER PRIMARY KEY, entry_id INTEGER REFERENCES entry (id)) STRICT;
                    """
                try await Self.open(fixture, .laterSample(additions, isAdditive: true))
                let change = state.withLock(\.written)
                while state.withLock(\.written) < change + 20 { await Task.yield() }
                state.withLock { $0.isOver = true }
                try await group.waitForAll()
            }
            #expect(try await Self.changes(fixture) > 1)
            #expect(try await Self.entries(fixture) == state.withLock(\.written))
            #expect(try await leases.lease(Self.lease) == taken)
        }
    }

    @Test func `an additive change waits for a table in pieces, between which a server goes on`() async throws {
        try await withPostgreSQL { fixture in
            let address = fixture.address
            let other = try await onThread {
                let source = ConnectionSource(address: address, timeouts: .tests, noteRoundTrip: {})
                let connection = try source.connection(for: .reader)
                _ = try connection.exchange([ServerCommand("BEGIN"), ServerCommand("SELECT count(*) FROM entry")])
                return Held(connection)
            }
            async let opened: Void = Self.open(fixture, .laterSample(isAdditive: true))
            // Behind the change, which waits for the reader.
            for number in 0..<3 { try await fixture.database.writeEntry("\(number)") }
            try await onThread { try other.end() }
            try await opened
            #expect(try await Self.changes(fixture) > 1)
        }
    }

    @Test func `a change may take longer than a statement of a server`() async throws {
        try await withPostgreSQL { fixture in
            try await Self.open(fixture, .laterSample("SELECT pg_sleep(1)"), statement: .milliseconds(200))
            #expect(try await Self.changes(fixture) > 1)
        }
    }

    @Test func `a session that has locked a table is named as the hindrance`() async throws {
        try await withPostgreSQL { fixture in
            let address = fixture.address
            let other = try await onThread {
                let source = ConnectionSource(address: address, timeouts: .tests, noteRoundTrip: {})
                let connection = try source.connection(for: .reader)
                _ = try connection.exchange([ServerCommand("BEGIN"), ServerCommand("LOCK TABLE entry")])
                return Held(connection)
            }
            let before = try await Self.changes(fixture)
            let refusal = await #expect(throws: DatabaseError.self) {
                try await Self.open(fixture, statement: .milliseconds(200))
            }
            #expect("\(String(describing: refusal))".contains("a session of another program has locked them"))
            #expect(try await Self.changes(fixture) == before)
            try await onThread { try other.end() }
        }
    }
}

/// A connection that holds a lock.
// Proof: one call after the other uses it.
private final class Held: @unchecked Sendable {
    private let connection: PostgreSQLConnection
    init(_ connection: PostgreSQLConnection) { self.connection = connection }
    func end() throws { _ = try connection.exchange([ServerCommand("ROLLBACK")]) }
}
