import Algorithms
import Database
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
        // Ascending. The stored worth is an upper bound of a post's current worth, so only the last must be recomputed.
        var waiting = scored.map { (worth: $0.score, scored: $0) }.sorted {
            precedes($1.worth, $1.scored, $0.worth, $0.scored)
        }
        while chosen.count < count, let last = waiting.popLast() {
            let worth = last.scored.score * counts.discount(last.scored.post)
            if let next = waiting.last, precedes(next.worth, next.scored, worth, last.scored) {
                let place = waiting.partitioningIndex { precedes($0.worth, $0.scored, worth, last.scored) }
                waiting.insert((worth, last.scored), at: place)
                continue
            }
            counts.add(last.scored.post)
            chosen.append(last.scored)
            chosen[chosen.count - 1].score = worth
        }
        return chosen
    }

    /// Orders by worth; ties go to the newer post.
    private static func precedes(
        _ worth: Double, _ scored: RecommendationScore.Scored, _ other: Double, _ second: RecommendationScore.Scored
    ) -> Bool {
        (worth, scored.post.id) > (other, second.post.id)
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
