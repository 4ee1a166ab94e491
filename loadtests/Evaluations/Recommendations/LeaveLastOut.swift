import Discovery
import Glibc

/// A user's rating of an item, from a data set.
struct Rating: Sendable, Equatable {
    let user: Int64
    let item: Int64
    let value: Double
    /// Seconds since 1970.
    let time: Int64

    init(user: Int64, item: Int64, value: Double, time: Int64) {
        self.user = user
        self.item = item
        self.value = value
        self.time = time
    }
}

/// The quality with which held-out items were found.
struct RecommendationQuality: Sendable, Equatable {
    /// The rank of the held-out item of each user, from 1, in the same order of users for every method.
    let places: [Int]

    /// The share of users whose held-out item is among the first 10.
    var hitRate: Double { mean { $0 <= 10 ? 1 : 0 } }

    /// Normalised discounted cumulative gain of the first 10, with the held-out item as the only relevant one.
    var ndcg: Double { mean(Self.gain) }

    /// Returns the lead of the NDCG over that of `other`, and its standard error over users.
    func lead(over other: RecommendationQuality) -> (difference: Double, error: Double) {
        let differences = zip(places, other.places).map { Self.gain($0) - Self.gain($1) }
        let mean = differences.reduce(0, +) / Double(differences.count)
        let squares = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (mean, (squares / Double(differences.count * (differences.count - 1))).squareRoot())
    }

    private static func gain(_ place: Int) -> Double { place <= 10 ? 1 / log2(Double(place) + 1) : 0 }

    private func mean(_ value: (Int) -> Double) -> Double {
        places.reduce(0) { $0 + value($1) } / Double(max(places.count, 1))
    }
}

/// Leave-last-one-out by time. The latest positive rating of each user is held out for the test, and the one before it
/// for choosing parameters; a method learns from the earlier ones. The held-out item is ranked among *all* items that
/// the user had not rated by then: samples of them change the order of methods (Krichene & Rendle, KDD 2020).
struct LeaveLastOut: Sendable {
    enum Held: Sendable {
        /// The last but one rating of each user, for choosing parameters.
        case validation
        /// The last rating.
        case test
    }

    private struct Case {
        /// The known items of the user, the latest first.
        let history: [Int64]
        /// All items that the user had rated, positively or not.
        let rated: Set<Int64>
        let held: Int64
    }

    let users: Int
    let items: Int
    let positives: Int
    private let cases: [Case]
    private let popularity: [Int64: Int]
    private let interactions: [Interaction]

    /// Splits the ratings. `positive` is the least rating that counts as liking. Users with fewer than three such
    /// ratings are left out. `seed` decides the order of ratings of the same second, which are common in data sets.
    init(_ ratings: [Rating], holding held: Held, positive: Double, seed: UInt64) {
        var (cases, interactions): ([Case], [Interaction]) = ([], [])
        let byUser = Dictionary(grouping: ratings, by: \.user)
        for (user, rated) in byUser.sorted(by: { $0.key < $1.key }) {
            let order = rated.sorted {
                ($0.time, Self.mixed($0.item, seed), $0.item) < ($1.time, Self.mixed($1.item, seed), $1.item)
            }
            let liked = order.indices.filter { order[$0].value >= positive }
            guard liked.count >= 3 else { continue }
            let known = liked.dropLast(held == .test ? 1 : 2)
            let next = liked[known.count]
            cases.append(
                Case(
                    history: known.reversed().map { order[$0].item }, rated: Set(order[..<next].map(\.item)),
                    held: order[next].item))
            interactions += known.enumerated().map { step, index in
                Interaction(user: user, item: order[index].item, weight: 1, time: Int64(step))
            }
        }
        self.cases = cases
        self.interactions = interactions
        users = cases.count
        items = Set(ratings.map(\.item)).count
        positives = interactions.count
        popularity = Dictionary(ratings.map { ($0.item, 0) }) { first, _ in first }
            .merging(interactions.map { ($0.item, 1) }, uniquingKeysWith: +)
    }

    /// Returns the quality of recommending the most liked items to every user.
    func popularityQuality() -> RecommendationQuality { quality { _ in [:] } }

    /// Returns the quality of the server's own engine with these parameters.
    func quality(of model: NeighbourModel) -> RecommendationQuality {
        let neighbours = ItemNeighbours(interactions, model: model)
        return quality { history in
            neighbours.support(of: history.map { ($0, 1) }).mapValues(\.score)
        }
    }

    /// Items of equal score, including those without one, are ordered by popularity, then by id.
    private func quality(_ scores: ([Int64]) -> [Int64: Double]) -> RecommendationQuality {
        RecommendationQuality(
            places: cases.map { user in
                let scores = scores(user.history)
                let (held, count) = (scores[user.held] ?? 0, popularity[user.held] ?? 0)
                var place = 1
                for (item, popularity) in popularity where item != user.held {
                    let score = scores[item] ?? 0
                    guard score > held || score == held && (popularity, user.held) > (count, item),
                        !user.rated.contains(item)
                    else { continue }
                    place += 1
                }
                return place
            })
    }

    /// Stafford's mix13, the finaliser of SplitMix64.
    private static func mixed(_ item: Int64, _ seed: UInt64) -> UInt64 {
        var mixed = UInt64(bitPattern: item) &+ seed &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
