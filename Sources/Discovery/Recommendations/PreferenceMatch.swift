import SocialGraph
import Text

/// The agreement of posts with a user's preferences.
struct PreferenceMatch: Sendable {
    /// The agreement of a post with the preferences, from -1 (against all that apply to it) to 1 (all met).
    struct Verdict: Sendable, Equatable {
        var agreement: Double
        /// The first preference that the post meets.
        var met: String?

        static let indifferent = Verdict(agreement: 0, met: nil)
    }

    private enum Wish: Sendable {
        /// Accepted texts, one of which a named attribute or a topic of the post should equal.
        case oneOf(Set<String>, attributes: [String], topics: Set<TopicID>)
        case level(String)
        /// An upper bound of a numeric attribute.
        case atMost(Double, attribute: String)
    }

    private let wishes: [(name: String, wish: Wish)]

    /// Returns the names in `preferences` that may also be topics. The caller looks them up and passes them as
    /// `topics`.
    static func topicNames(_ preferences: [String: AttributeValue]) -> [String] {
        attributes.keys.sorted().flatMap { texts(preferences[$0]) }
    }

    /// `topics`: topic ids by the folded names from ``topicNames(_:)``.
    init(_ preferences: [String: AttributeValue], topics: [String: Set<TopicID>]) {
        var wishes: [(String, Wish)] = []
        for (name, attributes) in Self.attributes.sorted(by: { $0.key < $1.key }) {
            let keys = Set(Self.texts(preferences[name]).map(NameFolding.key))
            guard !keys.isEmpty else { continue }
            let topics = keys.reduce(into: Set<TopicID>()) { $0.formUnion(topics[$1] ?? []) }
            wishes.append((name, .oneOf(keys, attributes: attributes, topics: topics)))
        }
        for name in ["preferredDifficulty", "skillLevel"] {
            if case .text(let level)? = preferences[name] {
                wishes.append((name, .level(NameFolding.key(level))))
                break
            }
        }
        for (name, attribute) in [("cookingTime", "cookingTime"), ("maxDuration", "duration")] {
            if case .number(let most)? = preferences[name], most > 0 {
                wishes.append((name, .atMost(most, attribute: attribute)))
            }
        }
        self.wishes = wishes
    }

    var isEmpty: Bool { wishes.isEmpty }

    /// Feeds that contain posts which meet a preference.
    var sources: [FeedSource] {
        wishes.flatMap { _, wish -> [FeedSource] in
            switch wish {
            case .oneOf(let keys, let attributes, let topics):
                attributes.flatMap { name in keys.sorted().map { FeedSource.attribute(name: name, key: $0) } }
                    + topics.sorted().map(FeedSource.topic)
            case .level(let level): Self.levelAttributes.map { FeedSource.attribute(name: $0, key: level) }
            case .atMost(_, let attribute): [.attributed(name: attribute)]
            }
        }
    }

    func verdict(_ post: RecommendablePost) -> Verdict {
        var verdict = Verdict.indifferent
        var applied = 0.0
        for (name, wish) in wishes {
            guard let agreement = Self.agreement(post, wish) else { continue }
            applied += 1
            verdict.agreement += agreement
            if agreement > 0, verdict.met == nil { verdict.met = name }
        }
        if applied > 0 { verdict.agreement /= applied }
        return verdict
    }

    /// Returns the agreement, from -1 to 1; nil if the post has nothing that the preference concerns.
    private static func agreement(_ post: RecommendablePost, _ wish: Wish) -> Double? {
        switch wish {
        case .oneOf(let keys, let attributes, let topics):
            if post.topics.contains(where: topics.contains) { return 1 }
            let present = attributes.flatMap { texts(post.attributes[$0]) }
            if present.isEmpty { return nil }
            return present.contains { keys.contains(NameFolding.key($0)) } ? 1 : -0.5
        case .level(let level):
            guard let present = levelAttributes.lazy.compactMap({ texts(post.attributes[$0]).first }).first else {
                return nil
            }
            return Self.agreement(of: NameFolding.key(present), with: level)
        case .atMost(let most, let attribute):
            guard case .number(let number)? = post.attributes[attribute] else { return nil }
            return number <= most ? 1 : -min(number / most - 1, 1)
        }
    }

    /// Returns the agreement of two levels: one level apart is a stretch, two levels apart is out of reach. Unknown
    /// levels agree only if they are equal.
    private static func agreement(of present: String, with wished: String) -> Double {
        if present == wished { return 1 }
        guard let a = levels[present], let b = levels[wished] else { return -0.5 }
        return switch abs(a - b) {
        case 0: 1
        case 1: -0.25
        default: -1
        }
    }

    private static func texts(_ value: AttributeValue?) -> [String] {
        switch value {
        case .text(let text): [text]
        case .list(let texts): texts
        default: []
        }
    }

    /// Attributes that tell a post's kind, by the preferences that name kinds of posts.
    private static let attributes: [String: [String]] = [
        "preferredTypes": ["workoutType", "cuisineType"], "preferredWorkoutTypes": ["workoutType"],
        "preferredCuisines": ["cuisineType"], "primaryGoal": ["workoutType", "muscleGroup"],
        "goals": ["workoutType", "muscleGroup"],
    ]
    private static let levelAttributes = ["difficultyLevel", "difficulty"]
    private static let levels = [
        "beginner": 0, "easy": 0, "novice": 0, "intermediate": 1, "medium": 1, "moderate": 1, "advanced": 2, "hard": 2,
        "expert": 2,
    ]

    /// Returns text for the user: the post meets the preference of the name.
    static func text(of preference: String) -> String? {
        switch preference {
        case "preferredTypes": "It matches your preferred types."
        case "preferredWorkoutTypes": "It matches your preferred workout types."
        case "preferredCuisines": "It matches your preferred cuisines."
        case "primaryGoal", "goals": "It matches your goals."
        case "preferredDifficulty": "It has your preferred difficulty."
        case "skillLevel": "It suits your skill level."
        case "cookingTime": "It fits the time you have for cooking."
        case "maxDuration": "It is no longer than you prefer."
        default: nil
        }
    }
}
