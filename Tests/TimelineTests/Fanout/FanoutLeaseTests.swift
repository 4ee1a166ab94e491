import Database
import Logging
import RedisClient
import SocialGraph
import Synchronization
import TestSupport
import Testing

@testable import Timeline

@Suite(.timeLimit(.process))
struct FanoutLeaseTests {
    @Test(.redisServer)
    func `a service whose lease has passed to another ends, and what it has done is not acknowledged`() async throws {
        try await withTimeline { harness in
            let author = try await harness.users(1)[0]
            try await harness.waitForJobs()
            let other = try await harness.otherGraph.outbox.takeLease(from: .isDead)
            try await harness.post(author)
            await harness.waitUntilEnded()
            #expect(try await harness.otherGraph.outbox.outboxDepth().pending == 1)
            let leases = LeaseStore(database: harness.otherProcess)
            #expect(try await leases.lease(OutboxStore.lease)?.epoch == other.epoch)
            try await other.release()
            try await harness.restartService()
            try await harness.waitForJobs()
            await harness.stop()
            #expect(try await leases.lease(OutboxStore.lease)?.endsAt == 0)
        }
    }

    @Test(.redisServer)
    func `a service waits for the lease of another that may live`() async throws {
        try await withTimeline { harness in
            await harness.stop()
            let other = try await harness.otherGraph.outbox.takeLease(from: .mayLive, terms: LeaseTerms(length: 400))
            try await harness.restartService()
            await #expect(throws: LeaseLost.self) { try await other.renew() }
            try await harness.post(try await harness.users(1)[0])
            try await harness.waitForJobs()
        }
    }

    @Test(.redisServer)
    func `while the lease is not held no job is begun, and afterwards they are done`() async throws {
        let boot = AdjustableClock(0)
        try await withFanout(boot: { boot.now }) { fanout async throws in
            let (author, follower) = (try await fanout.user("author"), try await fanout.user("follower"))
            try await fanout.graph.follows.follow(follower, author)
            try await fanout.workOff()
            try await fanout.build([follower])
            let post = try await fanout.graph.posts.publish(.sample(author)).id
            boot.advance(by: LeaseTerms.lasting.length - LeaseTerms.lasting.margin)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try? await fanout.worker.run() }
                group.addTask { try await fanout.acknowledger.run() }
                // Not for synchronisation: the time in which the post would arrive.
                try await Task.sleep(for: .milliseconds(500))
                #expect(try await !fanout.has(post, follower))
                #expect(try await fanout.jobs().count == 1)
                group.cancelAll()
            }
            try await fanout.lease.renew()
            try await fanout.workOff()
            #expect(try await fanout.has(post, follower))
        }
    }

    @Test(.redisServer)
    func `windows do not change while they may not`() async throws {
        let mayWrite = Mutex(true)
        try await withWindows(mayWrite: { mayWrite.withLock { $0 } }) { windows async throws in
            try await windows.makeWindow(viewer, [10])
            mayWrite.withLock { $0 = false }
            async let pushed = windows.push([20], [viewer])
            // Not for synchronisation: the time in which the post would arrive.
            try await Task.sleep(for: .milliseconds(200))
            #expect(try await windows.members(viewer) == [10, 0])
            mayWrite.withLock { $0 = true }
            #expect(try await pushed == 1)
            #expect(try await windows.members(viewer) == [20, 10, 0])
        }
    }

    @Test(.redisServer)
    func `a connection of an earlier lease epoch gets neither fence nor generation`() async throws {
        let server = try #require(RedisServer.current)
        try await withGraphStore { graph in
            try await withConnection(server.configuration) { connection in
                let old = try await Self.space(graph)
                try await old.establish(over: connection, runID: "run")
                let new = try await Self.space(graph)
                try await new.establish(over: connection, runID: "run")
                #expect(new.keys == old.keys)
                let fence = try #require(new.epoch?.fence)
                for run in ["run", "another run"] {
                    await #expect(throws: LeaseLost.self) { try await old.establish(over: connection, runID: run) }
                    #expect(old.epoch == nil)
                    let stored = try #require(try await WindowSpace.stored(in: graph))
                    #expect(stored.keys == new.keys && stored.runID == "run")
                    let state = RedisCommand("HGET", ["s:\(stored.keys.generation)", "fence"])
                    #expect(try await connection.send(state) { try $0.text } == fence)
                }
                await #expect(throws: LeaseLost.self) { try await old.forgetRetiredGenerations() }
            }
        }
    }

    @Test(.redisServer)
    func `windows that a later lease epoch has written are not trusted by a database from before it`() async throws {
        let settings = StoredSettings()
        let later = try await withWindows(settings: settings, leaseEpoch: 5) { windows async throws in
            try await windows.makeWindow(viewer, [10])
            return windows.generation
        }
        try await withWindows(settings: settings, leaseEpoch: 4) { windows async throws in
            #expect(windows.generation != later)
            #expect(try await windows.members(viewer).isEmpty)
            #expect(try await windows.space.retiredGenerations().map(\.generation) == [later])
        }
    }

    private static func space(_ graph: GraphStore) async throws -> WindowSpace {
        let lease = try await graph.outbox.takeLease(from: .isDead)
        return WindowSpace(graph: graph, lease: .outbox(lease.epoch), logger: quiet)
    }
}
