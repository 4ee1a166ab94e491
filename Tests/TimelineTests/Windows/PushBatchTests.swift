import Database
import SocialGraph
import TestSupport
import Testing

@testable import Timeline

@Suite(.timeLimit(.model))
struct PushBatchTests {
    private func user(_ number: Int) -> UserID { UserID(rawValue: Int64(number)) }

    @Test
    func `portions hold every target once, none of more posts or windows than a call takes`() {
        var random = SplitMix64(seed: 8)
        for _ in 0..<40 {
            var batch = PushBatch()
            var expected: [String] = []
            var post: Int64 = 1
            for _ in 0..<Int.random(in: 1...60, using: &random) {
                let entries = (0..<Int64.random(in: 1...32, using: &random)).map { at(post + $0) }
                post += 32
                let viewers = Set((0..<80).map { _ in user(Int.random(in: 1...400, using: &random)) })
                batch.add(entries, to: Array(viewers))
                expected += viewers.flatMap { viewer in entries.map { "\(viewer.rawValue) \($0.post.rawValue)" } }
            }
            batch.arrange()
            #expect(batch.deliveries == expected.count)
            var found: [String] = []
            var start = 0
            while start < batch.targets.count {
                let (portions, next) = batch.portions(from: start, windows: WindowWriter.windowsPerCall)
                let sizes = portions.map { $0.targets.reduce(0) { $0 + batch.groups[batch.targets[$1].group].count } }
                #expect(portions.count <= WindowWriter.windowsPerCall)
                #expect(sizes.allSatisfy { $0 <= PushBatch.postsPerCall })
                #expect(sizes.dropLast().reduce(0, +) <= PushBatch.entriesPerCall)
                for portion in portions {
                    for target in batch.targets[portion.targets] {
                        #expect(target.viewer == portion.viewer)
                        found += batch.groups[target.group].map { "\(target.viewer.rawValue) \($0.post.rawValue)" }
                    }
                }
                #expect(next > start)
                start = next
            }
            #expect(found.sorted() == expected.sorted())
        }
    }

    /// From its last entry up, a window must hold everything that it was ever offered.
    @Test(
        .redisServer,
        arguments: [1, 2, 3] as [UInt64])
    func `windows hold what they were offered down to their floors, whatever came late`(seed: UInt64) async throws {
        try await withWindows { windows async throws in
            var random = SplitMix64(seed: seed)
            let people = (1...24).map(user)
            let holders = people.filter { $0.rawValue % 8 != 0 }
            for viewer in holders { try await windows.makeWindow(viewer, []) }
            var offered = OfferedEntries(to: holders)
            for _ in 0..<120 {
                var batch = PushBatch()
                var count = 0
                for _ in 0..<Int.random(in: 1...12, using: &random) {
                    let viewers = people.filter { _ in Bool.random(using: &random) }
                    let entries = offered.next(&random)
                    batch.add(entries, to: viewers)
                    count += offered.offer(entries, to: viewers)
                }
                batch.arrange()
                #expect(try await windows.writer.push(batch) == count)
                for viewer in holders { try await windows.expectEverything(offered, in: viewer) }
                for viewer in Set(people).subtracting(holders) {
                    #expect(try await windows.entries(viewer).isEmpty)
                }
            }
        }
    }

    @Test(.redisServer)
    func `a call that fills a tail leaves the newest of all that came`() async throws {
        try await withWindows { windows async throws in
            try await windows.makeWindow(viewer, Array(1...16))
            try await windows.push(Array(17...48), [viewer])
            try await windows.push(Array(49...80), [viewer])
            #expect(try await windows.members(viewer).count == 80)
            // The tail lacks 63 entries.
            let rest = windows.fullTail(viewer) - 63
            try await windows.push(Array(81..<17 + rest), [viewer])
            var batch = PushBatch()
            batch.add((1_000...1_031).map { at($0) }, to: [viewer])
            batch.add((500...531).map { at($0) }, to: [viewer])
            batch.add([at(600)], to: [otherViewer])
            batch.arrange()
            #expect(!batch.isScattered)
            #expect(try await windows.writer.push(batch) == 64)
            #expect(try await windows.members(viewer) == (1_016...1_031).reversed())
        }
    }

    @Test(.redisServer)
    func `large groups whose windows hardly meet go one by one, and arrive the same`() async throws {
        try await withWindows { windows async throws in
            for viewer in [1, 150, 250, 400].map(user) { try await windows.makeWindow(viewer, [5]) }
            var batch = PushBatch()
            batch.add([at(40), at(50)], to: (1...200).map(user))
            batch.add([at(60)], to: (201...400).map(user) + [user(150)])
            batch.arrange()
            #expect(batch.isScattered)
            #expect(try await windows.writer.push(batch) == 7)
            #expect(try await windows.members(user(1)) == [50, 40, 5, 0])
            #expect(try await windows.members(user(150)) == [60, 50, 40, 5, 0])
            #expect(try await windows.members(user(400)) == [60, 5, 0])
            batch.add([at(70)], to: (1...400).map(user))
            batch.arrange()
            #expect(!batch.isScattered)
            #expect(try await windows.writer.push(batch) == 11)
            #expect(try await windows.members(user(150)) == [70, 60, 50, 40, 5, 0])
        }
    }

    @Test(.redisServer)
    func `a window that is being built receives what a batch has for its reader`() async throws {
        try await withWindows { windows async throws in
            try await windows.makeWindow(otherViewer, [1])
            let outcome = try await windows.writer.build(viewer) { () async throws -> [FeedEntry] in
                var batch = PushBatch()
                batch.add([at(50), at(40)], to: [viewer, otherViewer])
                batch.add([at(60)], to: [viewer])
                batch.arrange()
                #expect(try await windows.writer.push(batch) == 5)
                return [at(10)]
            }
            #expect(outcome == .ready)
            #expect(try await windows.members(viewer) == [60, 50, 40, 10, 0])
            #expect(try await windows.members(otherViewer) == [50, 40, 1, 0])
        }
    }
}
