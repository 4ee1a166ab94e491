import Algorithms
import Database
import SocialGraph

extension TrendReport {
    /// Counts the engagement of the two periods of `window` as of `now` (milliseconds since 1970). The work is bounded
    /// by the rows of those periods and by ``DiscoveryLimits``.
    static func make(_ graph: GraphStore, _ window: TrendWindow, now: Int64) async throws -> TrendReport {
        let periods = window.periods(at: now)
        let posts = try await graph.trends.foldEngagement(
            in: periods.hours, into: PostSample<PostEngagement>(capacity: Self.countedPosts)
        ) { posts, hour in
            posts.update(hour.post, default: PostEngagement()) { $0.add(hour, periods) }
            return true
        }
        let topics = try await topics(graph, posts.thinned(to: Self.topicPosts), periods)
        return TrendReport(periods: periods, likes: posts, topics: topics)
    }

    private static func topics(
        _ graph: GraphStore, _ sample: PostSample<PostEngagement>, _ periods: TrendPeriods
    ) async throws -> [TopicTrend] {
        let posts = sample.values.filter { $0.value.all.total > 0 }.sorted { $0.key < $1.key }
        var clusters: [TopicID: [PostEngagement]] = [:]
        for (post, topics) in zip(posts, try await graph.trends.publicTopics(of: posts.map(\.key))) {
            for topic in topics { clusters[topic, default: []].append(post.value) }
        }
        let found = clusters.map { TopicCount(topic: $0.key, posts: $0.value, periods) }.sorted(by: >)
        return try await listed(found, graph)
    }

    /// Returns the first topics of each kind, with their names.
    private static func listed(_ found: [TopicCount], _ graph: GraphStore) async throws -> [TopicTrend] {
        var listed: [TopicTrend] = []
        var room = [TopicKind.category: DiscoveryLimits.listedTopics, .tag: DiscoveryLimits.listedTopics]
        for part in found.chunks(ofCount: 2 * DiscoveryLimits.listedTopics) {
            guard room.values.contains(where: { $0 > 0 }) else { break }
            let names = try await graph.trends.topicNames(part.map(\.topic))
            for count in part {
                guard let known = names[count.topic], let left = room[known.kind], left > 0 else { continue }
                room[known.kind] = left - 1
                listed.append(count.trend(known.kind, known.name))
            }
        }
        return listed
    }
}

/// A topic without its name. Ordered by the lower bound of the rating, then by size.
private struct TopicCount: Comparable {
    let topic: TopicID
    let statistics: TrendStatistics?
    let engagements: Int64
    let posts: Int

    init(topic: TopicID, posts: [PostEngagement], _ periods: TrendPeriods) {
        self.topic = topic
        let sum = posts.reduce(into: PostEngagement()) { $0.add($1) }
        let birth = sum.birth(createdAt: IDSequence.milliseconds(of: topic.rawValue))
        statistics = TrendStatistics(posts: posts.map(\.all), lengths: periods.lengths(since: birth))
        engagements = sum.all.total
        self.posts = posts.count
    }

    static func < (lhs: Self, rhs: Self) -> Bool {
        (lhs.statistics?.lower ?? -1, lhs.engagements, lhs.topic) < (
            rhs.statistics?.lower ?? -1, rhs.engagements, rhs.topic
        )
    }

    func trend(_ kind: TopicKind, _ name: String) -> TopicTrend {
        TopicTrend(
            topic: topic, kind: kind, name: name, statistics: statistics, engagements: engagements, posts: posts)
    }
}
