import Database
import TestSupport
import Testing

@testable import SocialGraph

@Suite(.timeLimit(.unit))
struct NewestEntriesTests {
    @Test(arguments: [1, 2, 3, 10, 100])
    func `keeps the newest distinct entries whatever the order`(capacity: Int) {
        var random = SplitMix64(seed: UInt64(capacity))
        for _ in 0..<200 {
            let count = Int.random(in: 0...150, using: &random)
            let offers = (0..<count).map { _ in Int64.random(in: 1...120, using: &random) }
            var best = NewestEntries(capacity: capacity)
            for id in offers { _ = best.offer(.at(id)) }
            #expect(best.sorted().map(\.position.rawValue) == Array(Set(offers).sorted(by: >).prefix(capacity)))
        }
    }

    @Test
    func `says when older entries cannot get in any more`() {
        var best = NewestEntries(capacity: 2)
        // The buffer is trimmed when it holds four entries.
        let answers = [5, 5, 7, 5, 4, 5, 6, 8, 6].map { best.offer(.at($0)) }
        #expect(answers == [true, true, true, true, false, true, true, true, false])
        #expect(best.sorted().map(\.position.rawValue) == [8, 7])
    }
}

extension FeedEntry {
    fileprivate static func at(_ position: Int64) -> FeedEntry {
        FeedEntry(position: FeedPosition(rawValue: position), post: PostID(rawValue: 1))
    }
}
