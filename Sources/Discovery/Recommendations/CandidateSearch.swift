import Database
import SocialGraph

/// Finds posts that are worth scoring: what the history speaks for, what is new about the user's topics, by the user's
/// authors and of the preferences, what is popular, and what is new at all. Of these it keeps what the user may see,
/// has not seen, and has not made.
struct CandidateSearch {
    /// Authors, and topics, of a user's taste whose latest posts are candidates.
    static let tasteSources = 12
    /// Feeds of preferences whose latest posts are candidates.
    static let preferenceSources = 24
    /// Candidates of each author, topic and feed of preferences.
    static let candidatesOfFeed = 30
    /// Candidates by what others did, of home, of what is trending, and of the newest posts.
    static let candidatesOfSource = 300
    /// Candidates below which older posts are looked at.
    static let fewCandidates = 100
    /// Posts that are looked at in all where there are few candidates.
    static let candidatesLookedAt = 20_000

    let graph: GraphStore
    let taste: Taste
    let scope: RecommendationScope
    /// Best first.
    let trending: [PostID]
    let visible: ([PostID]) async throws -> [RecommendablePost?]

    func candidates() async throws -> [RecommendablePost] {
        var looked: Set<PostID> = []
        let newest = try await graph.feeds.run(
            ofAny: scope.sources, below: .end, limit: Self.candidatesOfSource)
        var found = try await unseen(proposals() + newest.entries.map(\.post), &looked)
        // Where nearly all of that is seen, or hidden, there is more further down.
        var end = newest.end
        while end > .beginning, found.count < Self.fewCandidates,
            looked.count < Self.candidatesLookedAt
        {
            let run = try await graph.feeds.run(
                ofAny: scope.sources, below: end, limit: Ranking.candidatesAtOnce)
            found += try await unseen(run.entries.map(\.post), &looked)
            end = run.end
        }
        return found
    }

    /// In no order of importance, some of them twice.
    private func proposals() async throws -> [PostID] {
        var proposals = bestSupported
        proposals += trending.prefix(Self.candidatesOfSource)
        let home = try await graph.feeds.homeRun(
            of: taste.inputs.context, below: .end, limit: Self.candidatesOfSource)
        proposals += home.entries.map(\.post)
        var feeds = taste.profile.authors(Self.tasteSources).map(FeedSource.actor)
        feeds += taste.profile.topics(Self.tasteSources).map(FeedSource.topic)
        feeds += taste.preferences.sources.prefix(Self.preferenceSources)
        for run in try await graph.feeds.runs(of: feeds, below: .end, limit: Self.candidatesOfFeed) {
            proposals += run.entries.map(\.post)
        }
        return proposals
    }

    /// What the history speaks for most. Of a narrow scope few of them are in it, so more of them are looked at.
    private var bestSupported: [PostID] {
        let count = Self.candidatesOfSource * (scope.isEverything ? 1 : 4)
        return taste.support.map { ($0.key, $0.value.score) }
            .best(count) { ($0.1, $0.0) > ($1.1, $1.0) }
            .map { PostID(rawValue: $0.0) }
    }

    private func unseen(_ posts: [PostID], _ looked: inout Set<PostID>) async throws -> [RecommendablePost] {
        let fresh = posts.filter { looked.insert($0).inserted }
        let shown = try await visible(fresh).compactMap { post -> RecommendablePost? in
            guard let post, !post.authors.contains(taste.user), scope.includes(post) else { return nil }
            return post
        }
        let seen = try await graph.recommendations.hasSeen(shown.map(\.id), taste.user)
        let acted = Set(taste.inputs.acts.lazy.filter { $0.kind != .watch }.map(\.post))
        return zip(shown, seen).compactMap { $1 || acted.contains($0.id) ? nil : $0 }
    }
}
