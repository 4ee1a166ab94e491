import Foundation

/// The requests of a scenario, drawn from its mix and its readers, all from one seed.
struct MixedWorkload: Workload {
    let kinds: [String]
    private let operations: [Scenario.Operation]
    private let shares: WeightedDraw
    private let people: [Person]
    private let composers: WeightedDraw
    private let tags: [String]
    private var generator: SeededGenerator
    private var number = 0

    /// A user who sends requests.
    struct Person: Sendable {
        let id: String
        let token: String
        let followers: Int
    }

    /// - Parameter tags: tags of stored posts, for filters.
    init(_ mix: [Scenario.Operation: Double], people: [Person], tags: [String], seed: UInt64) {
        operations = mix.keys.sorted { $0.rawValue < $1.rawValue }
        kinds = operations.map(\.rawValue)
        shares = WeightedDraw(weights: operations.map { Int((mix[$0] ?? 0) * 1_000) })
        self.people = people
        composers = WeightedDraw(weights: people.map { $0.followers + 1 })
        self.tags = tags
        generator = SeededGenerator(seed: seed)
    }

    mutating func next() -> LoadRequest? {
        let kind = shares.draw(using: &generator)
        let person = people[Int.random(in: 0..<people.count, using: &generator)]
        number += 1
        func get(_ target: String) -> LoadRequest { LoadRequest(kind: kind, "GET", target, token: person.token) }
        switch operations[kind] {
        case .home: return get("/v1/timelines/home?limit=20")
        case .deepHome: return get("/v1/timelines/home?limit=20&cursor=\(deepCursor())")
        case .profile: return get("/v1/timelines/users/\(other().id)?limit=20")
        case .publicTimeline: return get("/v1/timelines/public?limit=20")
        case .filtered: return get("/v1/timelines/home?limit=20&algorithms=\(tags[number % tags.count])")
        case .signIn: return get("/v1/me")
        case .health: return get("/healthz")
        case .compose:
            let author = people[composers.draw(using: &generator)]
            return LoadRequest(
                kind: kind, "POST", "/v1/posts", token: author.token, body: SampleGraph.draftBody(number))
        case .follow:
            return LoadRequest(kind: kind, "PUT", "/v1/users/\(other(than: person).id)/follow", token: person.token)
        case .unfollow:
            return LoadRequest(
                kind: kind, "DELETE", "/v1/users/\(other(than: person).id)/follow", token: person.token)
        }
    }

    private mutating func other(than person: Person? = nil) -> Person {
        while true {
            let chosen = people[Int.random(in: 0..<people.count, using: &generator)]
            if chosen.id != person?.id || people.count == 1 { return chosen }
        }
    }

    /// Returns a cursor about a week below the newest: ids carry milliseconds since 2025 in their upper 41 bits.
    private mutating func deepCursor() -> Int64 {
        let now = Int64((Date().timeIntervalSince1970 - 1_735_689_600) * 1_000)
        return (now - Int64.random(in: 0...1_000, using: &generator)) << 12
    }
}
