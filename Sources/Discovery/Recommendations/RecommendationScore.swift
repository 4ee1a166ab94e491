import Database
import Glibc
import SocialGraph

/// Scores candidates for one user: a weighted mean of parts from 0 to 1, lowered for a post that goes against
/// preferences. The weight of the history grows with its length, so for a new user preferences, popularity and
/// freshness decide. (A weighted hybrid after Burke, "Hybrid Recommender Systems", UMUAI 2002.)
struct RecommendationScore {
    /// A candidate with its score.
    struct Scored {
        let post: RecommendablePost
        /// Score from 0 to 1.
        var score: Double
        /// Agreement with the preferences, from -1 to 1.
        let agreement: Double
    }

    /// A part of a score.
    private enum Part {
        /// Other users engaged with both the post and posts of the user's history.
        case neighbours
        /// The post resembles posts that the user likes.
        case content
        /// The user follows or likes an author of the post.
        case people
        case preferences, popularity, freshness
    }

    private enum Weight {
        static let neighbours = 0.4
        static let content = 0.25
        static let people = 0.15
        static let preferences = 0.3
        static let popularity = 0.15
        static let freshness = 0.05
    }

    /// Weight of a followed author; 1 is the author of everything that the user likes.
    private static let follow = 0.6
    /// Share of the score taken off a post that goes against all preferences that apply to it.
    private static let penalty = 0.7
    /// Half-life of freshness, in days.
    private static let freshDays = 3.0
    private static let mostReasons = 3
    /// Smallest part of a score that counts as a reason.
    private static let leastShare = 0.02

    private let taste: Taste
    /// Trending rank of each post, from 1 for the first.
    private let ranks: [PostID: Int]
    private let now: Int64
    private let strongest: Double
    private let mostEngagement: Double
    private let totalWeight: Double

    /// `trending`: best first. `now`: milliseconds since 1970.
    init(_ taste: Taste, trending: [PostID], candidates: [RecommendablePost], now: Int64) {
        self.taste = taste
        self.now = now
        ranks = Dictionary(trending.enumerated().map { ($1, $0 + 1) }) { first, _ in first }
        strongest = candidates.reduce(0) { max($0, taste.support[$1.id.rawValue]?.score ?? 0) }
        mostEngagement = candidates.reduce(0) { max($0, $1.engagement) }
        totalWeight =
            taste.history.trust * (Weight.neighbours + Weight.content) + Weight.people
            + (taste.preferences.isEmpty ? 0 : Weight.preferences) + Weight.popularity + Weight.freshness
    }

    func score(_ post: RecommendablePost) -> Scored {
        let verdict = taste.preferences.verdict(post)
        let sum = parts(of: post, verdict).reduce(0) { $0 + $1.share }
        let score = sum / totalWeight * (1 + Self.penalty * min(verdict.agreement, 0))
        return Scored(post: post, score: min(max(score, 0), 1), agreement: verdict.agreement)
    }

    /// Returns at least one reason, weightiest first.
    func reasons(for post: RecommendablePost) -> [RecommendationReason] {
        let verdict = taste.preferences.verdict(post)
        // The sort is stable: among equal parts the one declared first wins.
        let parts = parts(of: post, verdict).enumerated().sorted {
            ($0.element.share, $1.offset) > ($1.element.share, $0.offset)
        }
        var reasons: [RecommendationReason] = []
        for (_, part) in parts where part.share >= Self.leastShare {
            guard let reason = reason(part.part, post, verdict), !reasons.contains(reason) else { continue }
            reasons.append(reason)
        }
        return reasons.isEmpty ? [RecommendationReason(.everybody)] : Array(reasons.prefix(Self.mostReasons))
    }

    private func parts(
        of post: RecommendablePost, _ verdict: PreferenceMatch.Verdict
    ) -> [(part: Part, share: Double)] {
        let trust = taste.history.trust
        let support = taste.support[post.id.rawValue]?.score ?? 0
        return [
            (.neighbours, trust * Weight.neighbours * (strongest > 0 ? support / strongest : 0)),
            (.content, trust * Weight.content * taste.profile.likeness(post.traits)),
            (.people, Weight.people * people(post)),
            (.preferences, Weight.preferences * max(verdict.agreement, 0)),
            (.popularity, Weight.popularity * popularity(post)),
            (.freshness, Weight.freshness * freshness(post)),
        ]
    }

    private func people(_ post: RecommendablePost) -> Double {
        let isFollowed = post.authors.contains(where: taste.inputs.context.follows)
        return max(taste.profile.affinity(post.authors), isFollowed ? Self.follow : 0)
    }

    /// Returns the popularity: half from total engagement, half from the trending rank.
    private func popularity(_ post: RecommendablePost) -> Double {
        let inAll = mostEngagement > 0 ? log1p(max(post.engagement, 0)) / log1p(mostEngagement) : 0
        let trend = ranks[post.id].map { 1 / log2(1 + Double($0)) } ?? 0
        return (inAll + trend) / 2
    }

    private func freshness(_ post: RecommendablePost) -> Double {
        let age = max(now - IDSequence.milliseconds(of: post.id.rawValue), 0)
        return exp2(-Double(age) / Double(Milliseconds.day) / Self.freshDays)
    }
}

// MARK: Reasons

extension RecommendationScore {
    /// Returns the reason of a part; nil if it has no reason that can be shown.
    private func reason(
        _ part: Part, _ post: RecommendablePost, _ verdict: PreferenceMatch.Verdict
    ) -> RecommendationReason? {
        switch part {
        case .neighbours: taste.support[post.id.rawValue].flatMap { act(on: PostID(rawValue: $0.reason)) }
        case .content: nearest(post).flatMap(act)
        case .people:
            if let followed = post.authors.first(where: taste.inputs.context.follows) {
                RecommendationReason(.follows, user: followed)
            } else {
                RecommendationReason(.author, user: post.authors.max { affinity($0) < affinity($1) })
            }
        case .preferences: verdict.met.map { RecommendationReason(.preference, value: $0) }
        case .popularity: popularity(post) >= 0.5 ? RecommendationReason(.popular) : nil
        case .freshness: freshness(post) >= 0.5 ? RecommendationReason(.new) : nil
        }
    }

    private func affinity(_ user: UserID) -> Double { taste.profile.affinity([user]) }

    /// Returns the user's act on a post; nil if the user may no longer see that post.
    private func act(on post: PostID) -> RecommendationReason? {
        guard taste.known[post] != nil, let entry = taste.history.entries.first(where: { $0.post == post }) else {
            return nil
        }
        return RecommendationReason(entry.act.reason, post: post)
    }

    /// Returns the post of the history most similar to `post`; ties go to the latest.
    private func nearest(_ post: RecommendablePost) -> PostID? {
        let wanted = Set(post.traits)
        var best: (post: PostID, common: Double)?
        for entry in taste.history.entries {
            guard let traits = taste.known[entry.post] else { continue }
            let common = Double(traits.count { wanted.contains($0) }) / Double(max(traits.count, 1)).squareRoot()
            if common > best?.common ?? 0 { best = (entry.post, common) }
        }
        return best?.post
    }
}
