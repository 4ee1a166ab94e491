import Database
import TestSupport
import Testing

/// Nodes as they stand in the database.
@Suite(.timeLimit(.process))
struct NodeStoreTests {
    private static func enter(_ id: Int64, _ fixture: GraphFixture, isShared: Bool = true) async throws -> Lease {
        let lease = try await LeaseStore(database: fixture.database).acquire(
            ServingNode.lease(of: id), for: id, length: LeaseTerms.node.length, from: .isDead)
        _ = try await NodeStore(database: fixture.database).enter(
            id, name: "host:\(id)", version: "1", isShared: isShared)
        return lease
    }

    private static func state(_ id: Int64, _ fixture: GraphFixture) async throws -> NodeRecord.State? {
        let records = try await NodeStore(database: fixture.database).records()
        return records.first { $0.node.id == id }?.state(at: fixture.clock.now)
    }

    @Test(arguments: Engine.allCases)
    func `a node is serving, then silent, then gone, and then forgotten`(engine: Engine) async throws {
        try await withGraph(on: engine) { fixture in
            let nodes = NodeStore(database: fixture.database)
            let start = fixture.clock.now
            _ = try await Self.enter(7, fixture)
            #expect(try await Self.state(7, fixture) == .serving)
            fixture.clock.advance(by: LeaseTerms.node.length - 1)
            #expect(try await Self.state(7, fixture) == .serving)
            fixture.clock.advance(by: 1)
            #expect(try await Self.state(7, fixture) == .silent)
            fixture.clock.advance(by: Milliseconds.minute)
            #expect(try await Self.state(7, fixture) == .gone)
            #expect(try await nodes.records().map(\.lastHeartbeat) == [start])
            #expect(try await nodes.prune(sparing: []) == 0)
            fixture.clock.advance(by: Milliseconds.day)
            #expect(try await nodes.prune(sparing: [7]) == 0)
            #expect(try await nodes.prune(sparing: [8]) == 1)
            #expect(try await nodes.records().isEmpty)
            #expect(try await LeaseStore(database: fixture.database).lease("node.7") == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a node that stops is gone at once, and comes back under its number`(engine: Engine) async throws {
        try await withGraph(on: engine) { fixture in
            let (nodes, leases) = (NodeStore(database: fixture.database), LeaseStore(database: fixture.database))
            let lease = try await Self.enter(7, fixture)
            fixture.clock.advance(by: 1_000)
            try await leases.release(lease.name, lease.epoch)
            try await nodes.leave(7)
            #expect(try await Self.state(7, fixture) == .gone)
            #expect(try await nodes.records().map(\.lastHeartbeat) == [fixture.clock.now])
            _ = try await Self.enter(7, fixture)
            #expect(try await Self.state(7, fixture) == .serving)
            #expect(try await nodes.records().count == 1)
        }
    }

    @Test(arguments: Engine.allCases)
    func `the leases of a node are its duties`(engine: Engine) async throws {
        try await withGraph(on: engine) { fixture in
            let leases = LeaseStore(database: fixture.database)
            for id in [7, 8] { _ = try await Self.enter(Int64(id), fixture) }
            for name in ["outbox", "upkeep"] {
                _ = try await leases.acquire(name, for: 8, length: 3_000, from: .mayLive)
            }
            let given = try await leases.acquire("given up", for: 7, length: 3_000, from: .mayLive)
            try await leases.release(given.name, given.epoch)
            let records = try await NodeStore(database: fixture.database).records()
            #expect(records.map(\.duties) == [[], ["outbox", "upkeep"]])
        }
    }

    @Test(arguments: Engine.allCases)
    func `nodes that share the graph live while they renew their heartbeats`(engine: Engine) async throws {
        try await withGraph(on: engine) { fixture in
            let (nodes, leases) = (NodeStore(database: fixture.database), LeaseStore(database: fixture.database))
            // The wall clock of the search is that of the machine, and this one is ahead of it.
            fixture.clock.set(SystemClock.milliseconds() + Milliseconds.day)
            #expect(try await nodes.livingShared(except: nil).isEmpty)
            _ = try await Self.enter(6, fixture, isShared: false)
            let lease = try await Self.enter(7, fixture)
            #expect(try await nodes.livingShared(except: 7).isEmpty)
            let living = try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    while !Task.isCancelled {
                        // While the clock stands still, a lease has its former end again after two renewals.
                        fixture.clock.advance(by: 1)
                        try await leases.renew(lease.name, lease.epoch, length: LeaseTerms.node.length)
                    }
                }
                // So long that no pause of a busy machine is taken for the end of the node.
                let living = try await nodes.livingShared(except: 8, length: 600_000)
                group.cancelAll()
                try await group.waitForAll()
                return living
            }
            #expect(living.map(\.id) == [7])
        }
    }

    @Test(arguments: Engine.allCases)
    func `a lease that nobody renews is waited for by the time since boot`(engine: Engine) async throws {
        try await withGraph(on: engine) { fixture in
            let leases = LeaseStore(database: fixture.database)
            let boot = AdjustableClock(0)
            let lease = try await leases.acquire("node.7", for: 7, length: 5_000, from: .mayLive)
            func renewed(at wall: Int64) async throws -> [Lease] {
                try await leases.renewedLeases(
                    length: 5_000, boot: { boot.now }, wall: { wall }, pause: { boot.advance(by: 250) }
                ) { [try await leases.lease("node.7")].compactMap(\.self) }
            }
            #expect(try await renewed(at: lease.endsAt).isEmpty)
            #expect(boot.now == 5_000)
            #expect(try await renewed(at: lease.endsAt + 5_000).isEmpty)
            #expect(boot.now == 5_000, "a lease that ended long ago is not waited for")
        }
    }
}
