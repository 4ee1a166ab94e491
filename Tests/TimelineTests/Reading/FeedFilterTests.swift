import Database
import SocialGraph
import TestSupport
import Testing

@testable import Timeline

@Suite(.timeLimit(.unit))
struct FeedFilterTests {
    private func topics(_ ids: Int64...) -> [TopicID] { ids.map(TopicID.init(rawValue:)) }
    private func category(_ id: Int64) -> FeedFilter.Category { .topic(TopicID(rawValue: id)) }

    @Test
    func `a post matches by its category, by any of the tags, or by both where both are asked for`() {
        let post = PostFragment.sample(category: 5, tags: [2, 9])
        #expect(FeedFilter.none.matches(post))
        #expect(FeedFilter(category: category(5)).matches(post))
        #expect(!FeedFilter(category: category(2)).matches(post), "a tag is no category")
        #expect(FeedFilter(algorithms: topics(9, 1)).matches(post))
        #expect(!FeedFilter(algorithms: topics(1, 8)).matches(post))
        #expect(FeedFilter(category: category(5), algorithms: topics(2)).matches(post))
        #expect(!FeedFilter(category: category(4), algorithms: topics(2)).matches(post))
        #expect(!FeedFilter(category: category(5), algorithms: topics(3)).matches(post))
        #expect(!FeedFilter(category: category(5)).matches(.sample(tags: [5])))
    }

    @Test
    func `what no post has matches nothing; without a condition everything does`() {
        #expect(FeedFilter.none.isNone && !FeedFilter.none.matchesNothing)
        for nothing in [FeedFilter(category: .unknown), FeedFilter(algorithms: [])] {
            #expect(nothing.matchesNothing && !nothing.isNone)
            #expect(!nothing.matches(.sample(category: 5, tags: [2])) && !nothing.matches(.sample()))
        }
        #expect(FeedFilter(category: .unknown, algorithms: topics(2)).matchesNothing)
    }

    @Test
    func `the order in which tags are asked for makes no other filter`() {
        #expect(FeedFilter(algorithms: topics(3, 1, 2)) == FeedFilter(algorithms: topics(1, 2, 3)))
        #expect(FeedFilter(algorithms: topics(3, 1)).matches(.sample(tags: [3])))
    }

    @Test
    func `the topics of a filter are on every post that matches it`() {
        #expect(FeedFilter.none.topics == nil)
        #expect(FeedFilter(category: category(5)).topics == topics(5))
        #expect(FeedFilter(algorithms: topics(2, 1)).topics == topics(1, 2))
        #expect(FeedFilter(category: category(5), algorithms: topics(1)).sources == [.topic(TopicID(rawValue: 1))])
    }
}
