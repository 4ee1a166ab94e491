import SocialGraph
import TestSupport
import Testing

@testable import Timeline

@Suite(.timeLimit(.unit))
struct FeedMergeTests {
    /// Random feeds, and their merged entries by position.
    private struct Feeds {
        var all: [[FeedEntry]] = []
        private(set) var together: [FeedEntry] = []

        /// Creates random feeds. Some are empty, and some entries are in several.
        init(_ random: inout SplitMix64) {
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                let count = Int.random(in: 0...12, using: &random)
                let places = Set((0..<count).map { _ in Int64.random(in: 1...40, using: &random) })
                all.append(places.sorted(by: >).map { reshared(1_000 + $0, at: $0) })
            }
            together = Set(all.joined()).sorted { $0.position > $1.position }
        }

        func below(_ cursor: FeedPosition) -> [FeedEntry] { together.filter { $0.position < cursor } }
    }

    private static func below(_ feed: [FeedEntry], _ cursor: FeedPosition, limit: Int) -> FeedSlice {
        FeedSlice(Array(feed.filter { $0.position < cursor }.prefix(limit)), limit: limit)
    }

    /// Checks that a slice is complete at and above its end, with nothing else in it.
    private static func check(_ slice: FeedSlice, _ feeds: Feeds, below cursor: FeedPosition, limit: Int) {
        #expect(slice.entries == feeds.below(cursor).filter { $0.position >= slice.end })
        #expect(slice.end < cursor, "a slice leads on")
        #expect(slice.end == .beginning || slice.entries.count >= limit || slice.entries.isEmpty == false)
    }

    @Test(
        arguments: 0..<400 as Range<UInt64>
    )
    func `a merge of heads is what all feeds have below the cursor, down to its end`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let feeds = Feeds(&random)
        let cursor = FeedPosition(rawValue: Int64.random(in: 1...42, using: &random))
        let limit = Int.random(in: 1...8, using: &random)
        var merge = HeadMerge(below: cursor, limit: limit)
        var deep: [[FeedEntry]] = []
        for feed in feeds.all {
            let head = FeedSlice(Array(feed.prefix(4)), limit: 4)
            if !merge.offer(head) {
                #expect(head.end >= cursor)
                deep.append(feed)
            }
        }
        for feed in deep {
            let isUsed = merge.offer(Self.below(feed, cursor, limit: limit))
            #expect(isUsed)
        }
        let slice = merge.result
        #expect(slice.entries.count <= limit)
        Self.check(slice, feeds, below: cursor, limit: limit)
    }

    @Test(arguments: 0..<400 as Range<UInt64>)
    func `a merge of runs is what all feeds have below the cursor, down to its end`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let feeds = Feeds(&random)
        let cursor = FeedPosition(rawValue: Int64.random(in: 1...42, using: &random))
        let limit = Int.random(in: 1...8, using: &random)
        let slices = feeds.all.map { Self.below($0, cursor, limit: Int.random(in: limit...9, using: &random)) }
        let slice = FeedSlice.merged(slices)
        Self.check(slice, feeds, below: cursor, limit: limit)
        #expect(slice.end == .beginning || slice.entries.count >= limit, "as many as asked for, unless that is all")
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func `a walk along merges shows every entry once, newest first`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let feeds = Feeds(&random)
        let limit = Int.random(in: 1...4, using: &random)
        var (shown, cursor): ([FeedEntry], FeedPosition) = ([], .end)
        while cursor != .beginning {
            var merge = HeadMerge(below: cursor, limit: limit)
            for feed in feeds.all { _ = merge.offer(Self.below(feed, cursor, limit: limit)) }
            shown += merge.result.entries
            #expect(merge.result.end < cursor)
            cursor = merge.result.end
        }
        #expect(shown == feeds.together)
    }

    @Test
    func `nothing merged is nothing, to the beginning; one run is itself`() {
        #expect(FeedSlice.merged([]) == .nothing)
        #expect(HeadMerge(below: .end, limit: 3).result == .nothing)
        let slice = FeedSlice(entries: [at(9), at(7)], end: FeedPosition(rawValue: 5))
        #expect(FeedSlice.merged([slice]) == slice)
        var merge = HeadMerge(below: .end, limit: 2)
        _ = merge.offer(slice)
        #expect(merge.result == FeedSlice(entries: [at(9), at(7)], end: FeedPosition(rawValue: 7)))
    }
}
