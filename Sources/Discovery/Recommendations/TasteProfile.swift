import SocialGraph

/// The traits and authors of a user's recent posts. They identify new posts before anybody has engaged with them. (The
/// content side of a hybrid recommender: Pazzani & Billsus, "Content-Based Recommendation Systems", 2007.)
struct TasteProfile: Sendable {
    private var traits: [PostTrait: Double] = [:]
    private var authors: [UserID: Double] = [:]
    private let length: Double

    /// `posts`: posts, each with the strength of the user's interest.
    init(_ posts: [(post: RecommendablePost, weight: Double)]) {
        for (post, weight) in posts {
            let found = post.traits
            // A post with many tags tells no more of a taste than a post with few.
            for trait in found { traits[trait, default: 0] += weight / Double(found.count).squareRoot() }
            for author in post.authors { authors[author, default: 0] += weight }
        }
        length = traits.values.sorted().reduce(0) { $0 + $1 * $1 }.squareRoot()
    }

    /// Returns the cosine of the angle between the profile and a post's traits, 0 to 1.
    func likeness(_ found: [PostTrait]) -> Double {
        guard length > 0, !found.isEmpty else { return 0 }
        let common = found.reduce(0) { $0 + (traits[$1] ?? 0) }
        return min(common / (length * Double(found.count).squareRoot()), 1)
    }

    /// Returns the user's affinity to the authors in `users`: 0 to below 1, and half for one liked post.
    func affinity(_ users: [UserID]) -> Double {
        let most = users.reduce(0) { max($0, authors[$1] ?? 0) }
        return most / (most + 1)
    }

    /// Returns the user's favourite topics, strongest first; ties go to the smaller id.
    func topics(_ count: Int) -> [TopicID] {
        let weighed = traits.compactMap { trait, weight -> (id: TopicID, weight: Double)? in
            if case .topic(let topic) = trait { (topic, weight) } else { nil }
        }
        return Array(
            weighed.sorted { ($0.weight, $1.id) > ($1.weight, $0.id) }.prefix(count).map(\.id))
    }

    /// Returns the user's favourite authors, strongest first; ties go to the smaller id.
    func authors(_ count: Int) -> [UserID] {
        let sorted = authors.sorted { ($0.value, $1.key) > ($1.value, $0.key) }
        return Array(sorted.prefix(count).map(\.key))
    }
}
