import Database
import RedisClient
import SocialGraph
import TestSupport
import Testing

@testable import Timeline

/// Pushes to windows of several buckets in one call. Redis does not need to be in a cluster for it.
@Suite(.timeLimit(.model))
struct MasterPushTests {
    private func user(_ number: Int) -> UserID { UserID(rawValue: Int64(number)) }

    /// Runs `body` over windows of each of `buckets`.
    private func withBuckets(
        _ buckets: [Int], _ opened: [WindowFixture] = [], _ body: @Sendable ([WindowFixture]) async throws -> Void
    ) async throws {
        guard let bucket = buckets.first else { return try await body(opened) }
        try await withWindows(shard: ShardNumber(index: bucket, of: WindowBucket.count)) { windows async throws in
            try await withBuckets(Array(buckets.dropFirst()), opened + [windows], body)
        }
    }

    private func push(
        _ batches: [PushBatch], to buckets: [WindowFixture], folds: [FoldQueue]? = nil
    ) throws -> MasterPush {
        var push = MasterPush(session: try #require(buckets[0].connection.present))
        for (index, batch) in batches.enumerated() where batch.deliveries > 0 {
            let writer = folds.map { buckets[index].writer(folds: $0[index]) } ?? buckets[index].writer
            push.add(MasterPush.Part(writer: writer, epoch: try #require(writer.epoch), batch: batch))
        }
        return push
    }

    /// Batches with one group of the same entries, for the windows of each bucket.
    private func batches(_ posts: some Sequence<Int64>, to viewers: [[UserID]]) -> [PushBatch] {
        viewers.map { viewers in
            var batch = PushBatch()
            batch.add(posts.map(at), to: viewers, number: 0)
            return batch
        }
    }

    @Test(.redisServer, arguments: [1, 2, 3] as [UInt64])
    func `windows of several buckets hold what they were offered, each bucket its own groups`(
        seed: UInt64
    ) async throws {
        try await withBuckets([3, 64, 255]) { buckets async throws in
            var random = SplitMix64(seed: seed)
            let people = buckets.indices.map { bucket in (1...9).map { user(bucket * 100 + $0) } }
            var offered = OfferedEntries(to: people.flatMap { $0.dropLast() })
            for (windows, people) in zip(buckets, people) {
                for viewer in people.dropLast() { try await windows.makeWindow(viewer, []) }
            }
            for round in 0..<80 {
                var batches = buckets.map { _ in PushBatch() }
                var count = 0
                for group in 0..<(round % 3 == 0 ? 1 : Int.random(in: 2...9, using: &random)) {
                    let entries = offered.next(&random)
                    for (bucket, people) in people.enumerated() where Int.random(in: 0..<4, using: &random) > 0 {
                        let viewers = people.filter { _ in Bool.random(using: &random) }
                        batches[bucket].add(entries, to: viewers, number: group)
                        count += offered.offer(entries, to: viewers)
                    }
                }
                for bucket in batches.indices { batches[bucket].arrange() }
                let push = try push(batches, to: buckets)
                #expect(push.calls().count <= 1)
                #expect(try await push.run() == count)
            }
            for (windows, people) in zip(buckets, people) {
                for viewer in people.dropLast() {
                    try await windows.expectEverything(offered, in: viewer)
                }
                #expect(try await windows.entries(people[8]).isEmpty)
            }
        }
    }

    @Test(.redisServer)
    func `where a fence has moved on, all parts of the call arrive once, by themselves`() async throws {
        try await withBuckets([3, 64, 255]) { buckets async throws in
            let viewers = buckets.indices.map { [user($0 + 1)] }
            for (windows, viewers) in zip(buckets, viewers) { try await windows.makeWindow(viewers[0], [1]) }
            let push = try push(batches([5, 6], to: viewers), to: buckets)
            let old = try #require(buckets[1].space.epoch)
            buckets[1].connection.reconnect(because: .intended)
            while buckets[1].space.epoch == nil || buckets[1].space.epoch == old { await Task.yield() }
            try await buckets[1].connection.waitUntilUp()
            let error = await redisError { try await push.session.send(push.calls()[0].command) { _ in } }
            #expect(error?.serverCode == "FENCED")
            #expect(try await push.run() == 6)
            for (windows, viewers) in zip(buckets, viewers) {
                #expect(try await windows.members(viewers[0]) == [6, 5, 1, 0])
            }
        }
    }

    @Test(.redisServer)
    func `each bucket's tails are full at its own length`() async throws {
        try await withBuckets([0, 60]) { buckets async throws in
            let viewers = buckets.indices.map { bucket in (1...16).map { user(bucket * 100 + $0) } }
            let folds = buckets.map { _ in FoldQueue() }
            for (windows, viewers) in zip(buckets, viewers) {
                _ = try await windows.writer.build(viewers) { $0.map { _ in [] } }
            }
            var full: [[Int]] = []
            for posts in [1...127, 128...128, 129...187, 188...188] as [ClosedRange<Int64>] {
                _ = try await push(batches(posts, to: viewers), to: buckets, folds: folds).run()
                full.append(folds.map(\.count))
            }
            #expect(full == [[0, 0], [16, 0], [16, 0], [16, 16]])
        }
    }

    @Test(.redisServer)
    func `tails that have waited too long are folded by the push, in every bucket`() async throws {
        try await withBuckets([0, 60]) { buckets async throws in
            let viewers = buckets.indices.map { bucket in (1...3).map { user(bucket * 100 + $0) } }
            let folds = buckets.map { _ in FoldQueue() }
            for (windows, viewers) in zip(buckets, viewers) {
                _ = try await windows.writer.build(viewers) { $0.map { _ in [] } }
            }
            // Twice the lengths at which they are full: 1,032 and 1,508 bytes, with a stamp and a word for each post.
            let steps: [(posts: ClosedRange<Int64>, waiting: [Int])] = [
                (1...256, [256, 256]), (257...375, [0, 375]), (376...376, [1, 0]),
            ]
            for step in steps {
                _ = try await push(batches(step.posts, to: viewers), to: buckets, folds: folds).run()
                for (bucket, waiting) in step.waiting.enumerated() {
                    for viewer in viewers[bucket] {
                        #expect(try await buckets[bucket].waiting(viewer)?.count == waiting)
                    }
                }
            }
        }
    }

    @Test(.redisServer)
    func `a window that is being built receives what a part has for its reader`() async throws {
        try await withBuckets([3, 64]) { buckets async throws in
            try await buckets[1].makeWindow(otherViewer, [1])
            let outcome = try await buckets[0].writer.build(viewer) { () async throws -> [FeedEntry] in
                var batches = batches([40, 50], to: [[viewer], [otherViewer]])
                batches[0].add([at(60)], to: [viewer], number: 1)
                batches[0].arrange()
                #expect(try await push(batches, to: buckets).run() == 5)
                return [at(10)]
            }
            #expect(outcome == .ready)
            #expect(try await buckets[0].members(viewer) == [60, 50, 40, 10, 0])
            #expect(try await buckets[1].members(otherViewer) == [50, 40, 1, 0])
        }
    }

    @Test(.redisServer, arguments: [1, 2, 3] as [UInt64])
    func `calls name every window once, and no call more than it takes`(seed: UInt64) async throws {
        try await withWindows { windows async throws in
            var random = SplitMix64(seed: seed)
            for _ in 0..<30 {
                var next = 0
                let viewers = (0..<Int.random(in: 1...40, using: &random)).map { _ in
                    let most = [4, 40, 400, 1_400].randomElement(using: &random) ?? 4
                    return (0..<Int.random(in: 1...most, using: &random)).map { _ -> UserID in
                        next += 1
                        return user(next)
                    }
                }
                let posts = 1...Int64.random(in: 1...32, using: &random)
                let parts = batches(posts, to: viewers)
                let calls = try push(parts, to: parts.map { _ in windows }).calls()
                #expect(calls.flatMap { $0.owners.compactMap { $0?.viewer } } == viewers.flatMap(\.self))
                #expect(calls.allSatisfy { $0.owners.count <= WindowWriter.windowsPerCall })
                #expect(calls.allSatisfy { $0.owners.count * posts.count < PushBatch.entriesPerCall + 32 })
                for call in calls { #expect(Set(call.owners.map { $0?.part }) == Set(call.parts.map(Optional.some))) }
                // A part is in one call, or in calls of its own.
                for part in parts.indices {
                    let own = calls.filter { $0.parts.contains(part) }
                    #expect(own.count == 1 || own.allSatisfy { $0.parts.count == 1 })
                }
            }
        }
    }
}
