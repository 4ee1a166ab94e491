import Database
import SocialGraph
import TestSupport
import Testing

@testable import Discovery

@Suite(.timeLimit(.unit))
struct PostSampleTests {
    private func sample(of posts: ClosedRange<Int64>, capacity: Int) -> PostSample<Int> {
        var sample = PostSample<Int>(capacity: capacity)
        // Updates every post twice, so that the remaining ones must have been there all the time.
        for raw in [posts, posts].joined() { sample.update(PostID(rawValue: raw), default: 0) { $0 += 1 } }
        return sample
    }

    @Test
    func `few posts are all counted`() {
        let sample = sample(of: 1...100, capacity: 100)
        #expect(sample.isWhole && sample.values.count == 100)
    }

    @Test(arguments: [10, 100, 1_000])
    func `of many posts a part is counted, each of them fully`(capacity: Int) {
        let sample = sample(of: 1...10_000, capacity: capacity)
        #expect(!sample.isWhole)
        #expect((1...capacity).contains(sample.values.count))
        #expect(sample.values.values.allSatisfy { $0 == 2 })
        for raw in 1...10_000 as ClosedRange<Int64> {
            #expect(sample.contains(PostID(rawValue: raw)) == (sample.values[PostID(rawValue: raw)] != nil))
        }
    }

    @Test
    func `a sample does not favour old or new posts`() {
        let sample = sample(of: 1...20_000, capacity: 5_000)
        let mean = sample.values.keys.reduce(0) { $0 + Double($1.rawValue) } / Double(sample.values.count)
        #expect(abs(mean - 10_000) < 500)
    }

    @Test
    func `a thinned sample is a part of the sample`() {
        let whole = sample(of: 1...1_000, capacity: 1_000)
        let part = whole.thinned(to: 100)
        #expect((1...100).contains(part.values.count))
        for (post, value) in part.values { #expect(whole.values[post] == value) }
        #expect(whole.thinned(to: 1_000).isWhole)
    }
}
