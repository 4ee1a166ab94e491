import Database
import HeapModule
import SocialGraph

/// Orders scored posts so that no author and no category floods the list: each further post of an author counts less,
/// and each further post of a category a little less, down to a floor. (The listwise author diversity of Twitter's Home
/// Mixer, the-algorithm, 2023: (1 - floor) · decay^n + floor.) The reduction only grows along the list, so the adjusted
/// scores descend.
enum Diversity {
    private static let author = (decay: 0.5, floor: 0.25)
    private static let category = (decay: 0.9, floor: 0.6)

    /// Returns the first `count` posts, best first, with their adjusted scores.
    static func ordered(_ scored: [RecommendationScore.Scored], count: Int) -> [RecommendationScore.Scored] {
        var counts = Counts()
        var chosen: [RecommendationScore.Scored] = []
        var waiting = Heap(scored.indices.map { Waiting(worth: scored[$0].score, id: scored[$0].post.id, place: $0) })
        while chosen.count < count, var best = waiting.popMax() {
            let candidate = scored[best.place]
            best.worth = candidate.score * counts.discount(candidate.post)
            if let next = waiting.max, next > best {
                waiting.insert(best)
                continue
            }
            counts.add(candidate.post)
            chosen.append(candidate)
            chosen[chosen.count - 1].score = best.worth
        }
        return chosen
    }

    /// A post that is not chosen yet. Ordered by worth; ties go to the newer post.
    private struct Waiting: Comparable {
        /// Upper bound of the post's current worth, so only the best must be recomputed.
        var worth: Double
        let id: PostID
        /// Index of the post among the candidates.
        let place: Int

        static func < (left: Waiting, right: Waiting) -> Bool { (left.worth, left.id) < (right.worth, right.id) }
    }

    private struct Counts {
        private var authors: [UserID: Int] = [:]
        private var categories: [TopicID: Int] = [:]

        mutating func add(_ post: RecommendablePost) {
            for author in post.authors { authors[author, default: 0] += 1 }
            if let category = post.category { categories[category, default: 0] += 1 }
        }

        func discount(_ post: RecommendablePost) -> Double {
            let most = post.authors.reduce(0) { max($0, authors[$1] ?? 0) }
            let alike = post.category.map { categories[$0] ?? 0 } ?? 0
            return Self.share(author, most) * Self.share(category, alike)
        }

        private static func share(_ rule: (decay: Double, floor: Double), _ count: Int) -> Double {
            var share = 1.0
            for _ in 0..<min(count, 64) { share *= rule.decay }
            return (1 - rule.floor) * share + rule.floor
        }
    }
}
