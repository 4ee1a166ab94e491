import Database
import SocialGraph

/// Gives posts without engagement a chance: every tenth place goes to one of them, drawn uniformly, so that new posts
/// become known. (ε-greedy with ε = 0.1: Sutton & Barto, "Reinforcement Learning", 2018, section 2.2.) The draw depends
/// only on the user and the post: one user gets the same list each time, and different users see different new posts.
enum Exploration {
    static let slot = 10
    /// Engagement, by ``RecommendablePost/engagement``, from which a post counts as known.
    private static let known = 5.0
    private static let age = 7 * Milliseconds.day

    /// Returns `list` with a new post from `candidates` at every tenth place. The new post takes the score of the post
    /// before it. Posts that go against the user's preferences are not drawn.
    static func filled(
        _ list: [RecommendationScore.Scored], from candidates: [RecommendationScore.Scored], for user: UserID,
        now: Int64
    ) -> [RecommendationScore.Scored] {
        var fresh = candidates.filter { candidate in
            candidate.post.engagement < known && candidate.agreement >= 0
                && now - IDSequence.milliseconds(of: candidate.post.id.rawValue) < age
        }
        fresh.sort { (draw($0.post.id, user), $0.post.id) > (draw($1.post.id, user), $1.post.id) }
        var filled: [RecommendationScore.Scored] = []
        var placed: Set<PostID> = []
        for item in list where !placed.contains(item.post.id) {
            if (filled.count + 1).isMultiple(of: slot), let last = filled.last {
                while var next = fresh.popLast() {
                    guard placed.insert(next.post.id).inserted else { continue }
                    next.score = last.score
                    filled.append(next)
                    break
                }
                if placed.contains(item.post.id) { continue }
            }
            placed.insert(item.post.id)
            filled.append(item)
        }
        return filled
    }

    /// Stafford's mix13, the finaliser of SplitMix64.
    private static func draw(_ post: PostID, _ user: UserID) -> UInt64 {
        var mixed = UInt64(bitPattern: post.rawValue) &+ UInt64(bitPattern: user.rawValue) &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
