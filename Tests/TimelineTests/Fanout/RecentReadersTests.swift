import Database
import SocialGraph
import TestSupport
import Testing

@testable import Timeline

@Suite(.timeLimit(.unit))
struct RecentReadersTests {
    private func user(_ number: Int) -> UserID { UserID(rawValue: Int64(number)) }

    @Test
    func `the latest come first, each once, at their last read`() {
        let readers = RecentReaders(capacity: 10)
        for number in [1, 2, 3, 2, 2, 1] { readers.note(user(number)) }
        #expect(readers.latest(10) == [1, 2, 3].map(user))
        #expect(readers.latest(2) == [1, 2].map(user))
        #expect(readers.latest(0).isEmpty)
        #expect(RecentReaders().latest(5).isEmpty)
    }

    @Test
    func `of more than it holds, the oldest are forgotten, by their last read`() {
        let readers = RecentReaders(capacity: 3)
        for number in [1, 2, 3, 1, 4] { readers.note(user(number)) }
        #expect(readers.latest(10) == [4, 1, 3].map(user))
    }

    @Test
    func `agrees with a plain list over thousands of reads, and never holds more than its capacity`() {
        var random = SplitMix64(seed: 11)
        for capacity in [1, 2, 7, 50] {
            let readers = RecentReaders(capacity: capacity)
            var list: [UserID] = []
            for _ in 0..<4_000 {
                let reader = user(Int.random(in: 0..<capacity * 2, using: &random))
                readers.note(reader)
                list.removeAll { $0 == reader }
                list.insert(reader, at: 0)
                let latest = readers.latest(capacity + 5)
                #expect(latest.count <= capacity)
                // The list keeps two mentions a reader on average, so a very frequent reader may evict others a little
                // early.
                #expect(Array(list.prefix(latest.count)) == latest)
                #expect(latest.count >= min(capacity, list.count) / 2)
            }
        }
    }
}
