import Database
import Glibc
import SocialGraph

/// Scores candidates for one user: the mean of what speaks for a post, each from 0 to 1 and by its weight, lowered
/// where the post goes against preferences. What a history says counts as far as there is one, so that with a new user
/// preferences, popularity and freshness decide. (A weighted hybrid after Burke, "Hybrid Recommender Systems", UMUAI
/// 2002.)
struct RecommendationScore {
    /// A candidate with what came out for it.
    struct Scored {
        let post: RecommendablePost
        /// From 0 to 1.
        var score: Double
        /// How it agrees with the preferences, from -1 to 1.
        let agreement: Double
    }

    /// What can speak for a post.
    private enum Part {
        /// What the user has had to do with, others have had to do with together with this.
        case neighbours
        /// It is about the same as what the user likes.
        case content
        /// By somebody whom the user follows or likes.
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

    /// What a followed author is worth, where 1 is the author of all that one likes.
    private static let follow = 0.6
    /// What is taken off the score of a post that goes against all preferences that apply to it.
    private static let penalty = 0.7
    /// Days after which freshness has halved.
    private static let freshDays = 3.0
    private static let mostReasons = 3
    /// Below, a part of a score is no reason to speak of.
    private static let leastShare = 0.02

    private let taste: Taste
    /// By post, from 1 for the first.
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

    /// At least one, the weightiest first.
    func reasons(for post: RecommendablePost) -> [RecommendationReason] {
        let verdict = taste.preferences.verdict(post)
        // A stable order: of equal parts the one that is named first.
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

    /// Half by what it has got in all, half by its place among what is trending.
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
    /// Nil: that part has no reason that can be told.
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

    /// What the user did with a post. Nil: the user may not see that post any more.
    private func act(on post: PostID) -> RecommendationReason? {
        guard taste.known[post] != nil, let entry = taste.history.entries.first(where: { $0.post == post }) else {
            return nil
        }
        return RecommendationReason(entry.act.reason, post: post)
    }

    /// The post of the history that has most in common with `post`; of equal ones the latest.
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
