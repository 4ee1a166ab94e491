import Database
import Logging
import RedisClient
import SocialGraph
import TestSupport
import Testing

@testable import Timeline

/// Buckets whose masters change while nobody looks.
@Suite(.timeLimit(.process), .serialized)
struct BucketKeeperTests {
    /// An author whose followers have windows in the buckets of the first master.
    private struct Fixture {
        let harness: TimelineHarness
        let author: UserID
        let readers: [UserID]

        init(_ harness: TimelineHarness, _ servers: RedisClusterServers) async throws {
            self.harness = harness
            let users = try await harness.users(24)
            author = users[0]
            readers = users.dropFirst().filter { Fixture.bucket(of: $0).slot.number * 3 / RedisSlot.count == 0 }
            try #require(readers.count > 2)
            for reader in readers { try await harness.graph.follows.follow(reader, author) }
            try await harness.post(author)
            try await harness.waitForJobs()
            try await harness.warm(readers)
        }

        static func bucket(of user: UserID) -> RedisBucket { RedisBucket(WindowBucket(of: user).number) }

        var shards: [WindowShard] {
            readers.compactMap { harness.service.fanout?.windows.all[WindowBucket(of: $0).number] }
        }

        var generations: [String?] { shards.map { $0.space.keys?.generation } }

        /// The newest posts in each reader's window, from Redis and not from a copy; nil without a window.
        func windows() async -> [[PostID]?] {
            var found: [[PostID]?] = []
            for (shard, reader) in zip(shards, readers) {
                let slice = try? await shard.readable.reader.slice(of: reader, below: .end, count: 9)
                found.append(slice?.entries.map(\.post))
            }
            return found
        }

        /// Reads until no window is read that lacks `post`; expects that none was read before.
        func expectNoWindow(without post: PostID, _ servers: RedisClusterServers) async throws {
            for _ in 0..<3 {
                for window in await windows() { #expect(window?.contains(post) != false) }
                for reader in readers { #expect(try await harness.walk(reader, limit: 9).contains(post)) }
            }
            try await harness.warm(readers)
            for window in await windows() { #expect(window?.contains(post) == true) }
            let report = try await harness.verify(readers)
            #expect(report.isClean && report.windows == readers.count, "\(report)")
        }
    }

    /// - Parameter nodeTimeout: a long one where no master is to be found dead.
    private func with(
        nodeTimeout: Duration = .seconds(30),
        _ body: @Sendable (Fixture, RedisClusterServers) async throws -> Void
    ) async throws {
        // Buckets are given up soon, but only once a master has lost its connection or its slot.
        let conditions = TimelineHarness.Conditions(
            command: .seconds(600), read: .seconds(600), shard: .milliseconds(50), isSwept: false)
        try await RedisClusterServers.with(nodeTimeout: nodeTimeout) { servers in
            try await withTimeline(cluster: servers, conditions) { harness async throws in
                try await body(try await Fixture(harness, servers), servers)
            }
        }
    }

    @Test
    func `the audit of a bucket sees each of its windows, some at a time`() async throws {
        try await with { fixture, _ in
            let (harness, shard) = (fixture.harness, fixture.shards[0])
            let keys = try #require(shard.space.keys)
            let post = try #require(try await harness.walk(fixture.readers[0], limit: 1).first)
            func send(_ words: [String]) async throws {
                try await shard.writing.send(RedisCommand(words: words), timeout: nil) { try $0.throwIfError() }
            }
            for nobody in 1_000_000..<1_000_100 {
                try await send(["ZADD", "h:\(keys.path):\(nobody)", "0", "0"])
                try await send(["SET", "t:\(keys.path):\(nobody)", "stamp123"])
            }
            try await send(["ZREM", "h:\(keys.path):\(fixture.readers[0].rawValue)", "\(post.rawValue)"])
            let log = RecordingLog(from: .error)
            let audit = WindowAudit(
                graph: harness.graph, connection: shard.writing, space: shard.space, idle: .seconds(1_000),
                metrics: TimelineMetrics(), logger: Logger(label: "test") { _ in log }, leastAge: 0)
            var (cursor, found) = ("0", [Int]())
            repeat {
                let step = try await audit.audit(keys, from: cursor)
                cursor = step.next
                found.append(step.windows)
            } while cursor != "0"
            #expect(found.first == WindowAudit.windowsAtOnce && found.reduce(0, +) > 100, "\(found)")
            #expect(log.entries.map { $0.metadata["users"] } == ["[\(fixture.readers[0].rawValue)]"])
        }
    }

    @Test
    func `windows that lost an acknowledged post in a promotion are never read`() async throws {
        try await with(nodeTimeout: .seconds(3)) { fixture, servers in
            let before = fixture.generations
            try await servers.stopReplication(of: 0, by: 3)
            let post = try await fixture.harness.post(fixture.author)
            try await fixture.harness.waitForJobs()
            #expect(await fixture.windows().allSatisfy { $0?.first == post })
            await servers.nodes[0].kill()
            servers.nodes[3].resume()
            try await servers.eventually { await servers.isMaster(servers.nodes[3]) }
            try await fixture.harness.waitUntilUp()
            try await fixture.expectNoWindow(without: post, servers)
            #expect(zip(before, fixture.generations).allSatisfy { $0 != $1 })
        }
    }

    @Test
    func `a master that was rolled back while its process and idle connections lived on is noticed`() async throws {
        try await with(nodeTimeout: .seconds(3)) { fixture, servers in
            let (first, other) = (servers.nodes[0], servers.nodes[3])
            let home = try #require(fixture.harness.service.fanout?.windows.keeper?.homes.first)
            try await servers.stopReplication(of: 0, by: 3)
            let post = try await fixture.harness.post(fixture.author)
            try await fixture.harness.waitForJobs()
            let place = try #require(home.place)
            first.stall()
            other.resume()
            try await servers.eventually { await servers.isMaster(other) }
            first.resume()
            try await servers.waitUntilWhole()
            try await servers.promote(first)
            try await servers.waitUntilWhole()
            #expect(home.place?.session == place.session && place.session.isOpen, "nothing was sent meanwhile")
            try await fixture.expectNoWindow(without: post, servers)
            #expect(!place.session.isOpen)
        }
    }

    @Test
    func `a master that became a replica is left although only its reading connection has found out`() async throws {
        try await with { fixture, servers in
            let home = try #require(fixture.harness.service.fanout?.windows.keeper?.homes.first)
            let place = try #require(home.place)
            try await servers.promote(servers.nodes[3])
            try await servers.waitUntilWhole()
            #expect(home.place?.session == place.session && place.session.isOpen, "nothing was sent meanwhile")
            place.master.reading.reconnect(because: .fault("a test"))
            try await servers.eventually { home.place.map { $0.session != place.session } ?? false }
            #expect(!place.session.isOpen)
            try await fixture.harness.waitUntilUp()
            let post = try await fixture.harness.post(fixture.author)
            try await fixture.harness.waitForJobs()
            try await fixture.expectNoWindow(without: post, servers)
        }
    }

    @Test
    func `a command of a former fence changes nothing`() async throws {
        try await with { fixture, _ in
            let (shard, reader) = (fixture.shards[0], fixture.readers[0])
            let keeper = try #require(fixture.harness.service.fanout?.windows.keeper)
            let home = keeper.homes[shard.number.index]
            let place = try #require(home.place)
            var batch = PushBatch()
            batch.add([at(1 << 40)], to: [reader])
            var late = MasterPush(session: place.session)
            late.add(MasterPush.Part(writer: shard.writer, epoch: try #require(shard.writer.epoch), batch: batch))
            let command = try #require(late.calls().first).command
            let (before, generation) = (await fixture.windows()[0], shard.space.keys)
            home.leave(place)
            #expect(!home.isServed)
            try await fixture.harness.waitUntilUp()
            let errors = try await place.session.send([command]) { replies in
                (0..<replies.count).map { replies[$0].error?.serverCode.map(String.init) }
            }
            #expect(errors == ["FENCED"])
            #expect(await fixture.windows()[0] == before && shard.space.keys == generation && before != nil)
        }
    }

    @Test
    func `a slot that is moved, and moved back, takes its bucket's windows with it, and nobody waits`() async throws {
        try await with { fixture, servers in
            let bucket = Fixture.bucket(of: fixture.readers[0])
            let shard = fixture.shards[0]
            for (source, target) in [(0, 1), (1, 0)] {
                let generation = try #require(shard.space.keys)
                let others = fixture.generations
                try await servers.beginMoving(bucket, from: source, to: target)
                try await servers.moveSomeKeys(of: bucket, from: source, to: target)
                // The job is done although the bucket has no place: it has been given up.
                let post = try await fixture.harness.post(fixture.author)
                try await fixture.harness.waitForJobs()
                for reader in fixture.readers {
                    #expect(try await fixture.harness.walk(reader, limit: 9).first == post)
                }
                try await servers.endMoving(bucket, from: source, to: target)
                try await fixture.harness.waitUntilUp()
                #expect(shard.space.keys != generation)
                try await fixture.expectNoWindow(without: post, servers)
                // The master's other buckets have kept theirs.
                let kept = zip(others, fixture.generations).enumerated().filter { $1.0 == $1.1 }.map(\.offset)
                let same = fixture.readers.indices.filter { Fixture.bucket(of: fixture.readers[$0]) != bucket }
                #expect(kept == Array(same))
            }
        }
    }

    @Test
    func `keys of retired generations are removed from the bucket's slot, and others stay`() async throws {
        try await with { fixture, servers in
            let shard = fixture.shards[0]
            let home = try #require(
                fixture.harness.service.fanout?.windows.keeper?.homes[shard.number.index])
            let former = try #require(shard.space.keys)
            shard.space.doubt()
            home.leave(try #require(home.place), isMoved: true)
            try await fixture.harness.waitUntilUp()
            try await fixture.harness.warm(fixture.readers)
            let names = try await shard.writing.keys(in: Fixture.bucket(of: fixture.readers[0]))
            #expect(names.contains { $0.contains(former.path) })
            try await WindowSweeper(space: shard.space, connection: shard.writing, logger: quiet).sweep()
            let left = try await shard.writing.keys(in: Fixture.bucket(of: fixture.readers[0]))
            #expect(left == names.filter { !$0.contains(former.path) } && left.count >= 3)
        }
    }
}
