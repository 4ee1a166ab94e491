import SocialGraph

/// What a user did of late, post by post, the latest first.
struct TasteHistory: Sendable {
    /// Acts of each kind, and posts among them, from which a user's taste is known.
    static let length = 100

    struct Entry: Sendable {
        let post: PostID
        let weight: Double
        /// The weightiest act, of equal ones the latest.
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

    /// How far the history can be relied upon: 0 without any, half after ``halfTrust`` posts, towards 1.
    var trust: Double {
        let weight = entries.reduce(0) { $0 + min($1.weight, 1) }
        return weight / (weight + Self.halfTrust)
    }

    private static let halfTrust = 2.0

    /// How much the entry at `index` counts for what a user likes in general: tastes change slower than what is looked
    /// for just now, which ``NeighbourModel/recency(of:)`` follows.
    static func slowWeight(_ entry: Entry, at index: Int) -> Double {
        entry.weight / Double(index + 1).squareRoot()
    }
}
