import SocialGraph

/// A user's recent acts, post by post, latest first.
struct TasteHistory: Sendable {
    /// Number of acts of each kind, and of posts among them, that reveal a user's taste.
    static let length = 100

    struct Entry: Sendable {
        let post: PostID
        let weight: Double
        /// The weightiest act; ties go to the latest.
        let act: TasteAct.Kind
    }

    let entries: [Entry]

    init(_ acts: [TasteAct]) {
        var found: [PostID: (weight: Double, act: TasteAct, latest: Int64)] = [:]
        for act in acts.sorted(by: { $0.id > $1.id }) {
            let weight = ActWeight.weight(of: act)
            guard weight > 0 else { continue }
            if let known = found[act.post] {
                let isWeightier = weight > ActWeight.weight(of: known.act)
                found[act.post] = (known.weight + weight, isWeightier ? act : known.act, known.latest)
            } else {
                found[act.post] = (weight, act, act.id)
            }
        }
        entries = found.sorted { $0.value.latest > $1.value.latest }.prefix(Self.length).map {
            Entry(post: $0.key, weight: $0.value.weight, act: $0.value.act.kind)
        }
    }

    /// Reliability of the history: 0 without any, half after ``halfTrust`` posts, towards 1.
    var trust: Double {
        let weight = entries.reduce(0) { $0 + min($1.weight, 1) }
        return weight / (weight + Self.halfTrust)
    }

    private static let halfTrust = 2.0

    /// Returns the weight of the entry at `index` for the user's general taste. Tastes change more slowly than the
    /// current interest, which ``NeighbourModel/recency(of:)`` follows.
    static func slowWeight(_ entry: Entry, at index: Int) -> Double {
        entry.weight / Double(index + 1).squareRoot()
    }
}
