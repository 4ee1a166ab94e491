import Testing

@testable import SocialGraph

@Suite(.timeLimit(.minutes(1)))
struct NewestPostsTests {
    @Test(arguments: [1, 2, 3, 10, 100])
    func `keeps the largest distinct ids whatever the order`(capacity: Int) {
        var random = SplitMix64(seed: UInt64(capacity))
        for _ in 0..<200 {
            let count = Int.random(in: 0...150, using: &random)
            let offers = (0..<count).map { _ in Int64.random(in: 1...120, using: &random) }
            var best = NewestPosts(capacity: capacity)
            for id in offers { _ = best.offer(id) }
            #expect(best.sorted().map(\.rawValue) == Array(Set(offers).sorted(by: >).prefix(capacity)))
        }
    }

    @Test
    func `says when smaller ids cannot get in any more`() {
        var best = NewestPosts(capacity: 2)
        let answers = [5, 5, 7, 5, 4, 6, 5].map { best.offer($0) }
        #expect(answers == [true, true, true, true, false, true, false])
    }
}
