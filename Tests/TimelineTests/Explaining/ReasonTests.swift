import Database
import SocialGraph
import TestSupport
import Testing
import Timeline

@testable import Timeline

@Suite(.timeLimit(.model))
struct ReasonTests {
    @Test(
        .redisServer,
        arguments: [41, 42] as [UInt64])
    func `every item of random pages has reasons, and each is true by SQL`(seed: UInt64) async throws {
        try await withTimeline(.impatient) { harness async throws in
            var history = HomeHistory(harness, seed: seed, isSwarm: false)
            try await history.run(users: 12, rounds: 1, steps: 500)
            try #require(history.problems.isEmpty)
            let judge = ReasonJudge(graph: harness.graph)
            var kinds: [String: Int] = [:]
            for viewer in history.users {
                for condition in [FeedTruth.Condition(), .init(tags: ["ai", "Rare"]), .init(category: "Fitness")] {
                    let filter = try await harness.timelines.filters.filter(
                        category: condition.category, algorithms: condition.tags)
                    let page = try await harness.timelines.home.page(
                        of: viewer, below: nil, limit: 100, filter: filter.filter)
                    let reasons = try await harness.timelines.explainer.reasons(
                        for: page.items, of: viewer, in: .home, filter: filter)
                    for (item, reasons) in zip(page.items, reasons) {
                        #expect(reasons.contains { $0.isOfHome }, "\(item.post.id) is shown for nothing")
                        #expect(Set(reasons.map { "\($0)" }).count == reasons.count, "\(reasons)")
                        for reason in reasons {
                            kinds[reason.kind, default: 0] += 1
                            #expect(try await judge.isTrue(reason, of: item, for: viewer), "\(reason)")
                        }
                    }
                }
            }
            for kind in ["own", "follows", "collaborator", "reshare", "topic", "community", "algorithm", "category"] {
                #expect(kinds[kind, default: 0] > 0, "\(kind) has not happened")
            }
        }
    }

    @Test(.redisServer)
    func `in other feeds the feed itself is the reason, and the filter`() async throws {
        try await withTimeline { harness async throws in
            let users = try await harness.users(2)
            let club = try await harness.graph.communities.createCommunity(name: "club", description: "", by: users[0])
            var post = NewPost.sample(users[0], tags: ["AI", "x"])
            (post.community, post.category) = (club.id, "Art")
            _ = try await harness.graph.posts.publish(post)
            let filter = try await harness.timelines.filters.filter(category: "art", algorithms: ["never", "ai", "AI"])
            let page = try await harness.timelines.feeds.everything(
                for: users[1], below: nil, limit: 5, filter: filter.filter)
            try #require(page.items.count == 1)
            let matched: [Reason] = [.category(name: "art"), .algorithm(tag: "ai")]
            #expect(
                try await harness.timelines.explainer.reasons(
                    for: page.items, of: users[1], in: .everybody, filter: filter)
                    == [[.everybody] + matched])
            #expect(
                try await harness.timelines.explainer.reasons(
                    for: page.items, of: users[1], in: .community, filter: filter)
                    == [[.community(club.id, name: "club")] + matched])
        }
    }

    @Test(.redisServer)
    func `selected algorithms are in force from the next request on`() async throws {
        try await withTimeline { harness async throws in
            let users = try await harness.users(1)
            #expect(try await harness.timelines.filters.selectedAlgorithms(of: users[0]) == [])
            for tags in [["AI", "Fitness"], ["x"], []] {
                try await harness.graph.topics.setPreferences(of: users[0], algorithms: tags)
                #expect(
                    try await harness.timelines.filters.selectedAlgorithms(of: users[0]) == tags.map { $0.lowercased() }
                )
            }
        }
    }
}

extension Reason {
    fileprivate var isOfHome: Bool {
        switch self {
        case .own, .follows, .collaborator, .reshare, .topic, .community: true
        case .algorithm, .category, .everybody, .trending, .businessTrend: false
        }
    }
}

/// Checks with plain SQL that a reason holds.
private struct ReasonJudge {
    let graph: GraphStore

    func isTrue(_ reason: Reason, of item: TimelineItem, for viewer: UserID) async throws -> Bool {
        let (me, post, place) = (viewer.rawValue, item.post.id.rawValue, item.position.rawValue)
        let statement =
            switch reason {
            case .own:
                """
                SELECT 1 FROM author_post WHERE author_id = \(me) AND post_id = \(post) AND post_id = \(place)
                UNION SELECT 1 FROM reshare WHERE user_id = \(me) AND post_id = \(post) AND id = \(place)
                """
            case .follows(let user, let name):
                """
                SELECT 1 FROM post p JOIN follow f ON f.followee_id = p.author_id AND f.follower_id = \(me)
                JOIN account a ON a.id = p.author_id
                WHERE p.id = \(post) AND p.author_id = \(user.rawValue) AND a.username = '\(name)' AND p.id = \(place)
                """
            case .collaborator(let user, let name):
                """
                SELECT 1 FROM post_collaborator c JOIN follow f ON f.followee_id = c.user_id AND f.follower_id = \(me)
                JOIN account a ON a.id = c.user_id WHERE c.post_id = \(post) AND c.user_id = \(user.rawValue)
                AND c.status = 'accepted' AND a.username = '\(name)' AND c.post_id = \(place)
                """
            case .reshare(let user, let name):
                """
                SELECT 1 FROM reshare r JOIN follow f ON f.followee_id = r.user_id AND f.follower_id = \(me)
                JOIN account a ON a.id = r.user_id WHERE r.post_id = \(post) AND r.id = \(place)
                AND r.user_id = \(user.rawValue) AND a.username = '\(name)' AND NOT EXISTS (
                    SELECT 1 FROM mute WHERE muter_id = \(me) AND muted_id = r.user_id AND reshares = 1)
                """
            case .topic(let name):
                """
                SELECT 1 FROM topic_follow f JOIN account a ON a.id = f.user_id AND a.topics_in_home = 1
                JOIN topic t ON t.topic_key = f.topic_key JOIN topic_post p ON p.topic_id = t.id
                WHERE f.user_id = \(me) AND f.in_home = 1 AND f.name = '\(name)' AND p.post_id = \(post)
                """
            case .community(let id, let name):
                """
                SELECT 1 FROM community_member m JOIN account a ON a.id = m.user_id AND a.communities_in_home = 1
                JOIN post p ON p.community_id = m.community_id JOIN community c ON c.id = m.community_id
                WHERE m.user_id = \(me) AND m.in_home = 1 AND p.id = \(post) AND c.id = \(id.rawValue)
                AND c.name = '\(name)'
                """
            case .algorithm(let tag):
                "SELECT 1 FROM post_tag WHERE post_id = \(post) AND tag_key = '\(tag.lowercased())'"
            case .category(let name):
                "SELECT 1 FROM post WHERE id = \(post) AND lower(category) = '\(name.lowercased())'"
            case .everybody, .trending, .businessTrend: "SELECT 1 WHERE 0"
            }
        return try await graph.database.read { try $0.exists(statement, []) }
    }
}
