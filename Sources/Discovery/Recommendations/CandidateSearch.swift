import Database
import SocialGraph

/// Finds posts worth scoring: posts supported by the history, new posts of the user's topics, authors and preferences,
/// popular posts, and the newest posts. Keeps those that the user may see, has not seen and did not make.
struct CandidateSearch {
    /// Number of authors, and of topics, of a user's taste whose latest posts are candidates.
    static let tasteSources = 12
    /// Number of feeds of preferences whose latest posts are candidates.
    static let preferenceSources = 24
    /// Candidates from each author, topic and feed of preferences.
    static let candidatesOfFeed = 30
    /// Candidates from each of collaborative filtering, home, trending and the newest posts.
    static let candidatesOfSource = 300
    /// Number of candidates below which older posts are examined.
    static let fewCandidates = 100
    /// Largest number of posts examined while candidates are few.
    static let candidatesLookedAt = 20_000

    let graph: GraphStore
    let taste: Taste
    let scope: RecommendationScope
    /// Trending posts, best first.
    let trending: [PostID]
    let visible: ([PostID]) async throws -> [RecommendablePost?]

    func candidates() async throws -> [RecommendablePost] {
        var looked: Set<PostID> = []
        let newest = try await graph.feeds.slice(
            ofAny: scope.sources, below: .end, limit: Self.candidatesOfSource)
        var found = try await unseen(proposals() + newest.entries.map(\.post), &looked)
        // If nearly all of these are seen or hidden, older posts may still qualify.
        var end = newest.end
        while end > .beginning, found.count < Self.fewCandidates,
            looked.count < Self.candidatesLookedAt
        {
            let slice = try await graph.feeds.slice(
                ofAny: scope.sources, below: end, limit: Ranking.candidatesAtOnce)
            found += try await unseen(slice.entries.map(\.post), &looked)
            end = slice.end
        }
        return found
    }

    /// Returns posts in no particular order, possibly with duplicates.
    private func proposals() async throws -> [PostID] {
        var proposals = bestSupported
        proposals += trending.prefix(Self.candidatesOfSource)
        let home = try await graph.feeds.homeSlice(
            of: taste.inputs.context, below: .end, limit: Self.candidatesOfSource)
        proposals += home.entries.map(\.post)
        var feeds = taste.profile.authors(Self.tasteSources).map(FeedSource.actor)
        feeds += taste.profile.topics(Self.tasteSources).map(FeedSource.topic)
        feeds += taste.preferences.sources.prefix(Self.preferenceSources)
        for slice in try await graph.feeds.slices(of: feeds, below: .end, limit: Self.candidatesOfFeed) {
            proposals += slice.entries.map(\.post)
        }
        return proposals
    }

    /// Posts with the most support from the history. A narrow scope contains few of them, so more are examined for it.
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
