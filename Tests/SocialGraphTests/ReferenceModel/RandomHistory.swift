import Database
import Importing
import TestSupport
import Testing

@testable import SocialGraph
@testable import SocialGraphModel

/// A seeded history of operations, applied to a graph and to the reference model alike, with a query after each.
struct RandomHistory {
    /// Steps between two acts of the nemesis, on average.
    private static let stepsBetweenNemeses = 500

    /// The network before the random operations begin.
    struct Shape: Sendable, CustomTestStringConvertible {
        let name: String
        /// Number of users.
        var users = 12
        /// Number of users who follow most of the others: readers whose home is walked.
        var wideReaders = 0
        /// Number of posts by people whom nobody follows, each reshared by one of them, so that a walk's budget runs
        /// out. They come on top of the others' posts.
        var strangersPosts = 0
        /// True if each seed prefers some operations and leaves out others.
        var isSwarm = false
        var steps: Int

        var testDescription: String { name }

        static let small = Shape(name: "few people", steps: 1_400)
        static let swarm = Shape(name: "few people of few habits", users: 9, isSwarm: true, steps: 1_000)
        static let wide = Shape(name: "readers of many", users: 70, wideReaders: 6, steps: 500)
        static let vast = Shape(
            name: "readers of many among strangers", users: 64, wideReaders: 4,
            strangersPosts: FeedStore.homeWalkBudget + 300, steps: 100)
    }

    enum Operation: CaseIterable {
        case createAccount, deleteAccount, follow, unfollow, publish, publishBatch, delete, importFollows
        case block, unblock, mute, unmute, reshare, unreshare, purge
        case invite, accept, decline, leavePost, removeCollaborator
        case followTopic, unfollowTopic, switches, selectAlgorithms
        case createCommunity, join, leave, communitySwitch, lock, privacy, ban, unban, role, pin, remove, takeDown
        case suspend, silence, hold, archive
        case seclude, approve, declineFollow, open, upkeep
        case threshold, backfill, acknowledge

        /// The frequency of the operation, out of about 150.
        var weight: Int {
            switch self {
            case .follow: 22
            case .publish: 24
            case .reshare: 18
            case .mute: 9
            case .unfollow, .delete: 7
            case .importFollows, .unblock, .unreshare, .invite, .accept, .followTopic, .join: 5
            case .suspend, .silence, .hold, .publishBatch, .remove, .takeDown, .communitySwitch, .switches, .lock, .ban:
                4
            case .approve: 5
            case .privacy, .seclude: 3
            case .block: 3
            case .createAccount, .deleteAccount: 1
            default: 2
            }
        }
    }

    let fixture: GraphFixture
    let shape: Shape
    /// Work done now and then between two steps, such as the restart of a server.
    private let nemesis: (@Sendable () async throws -> Void)?
    var random: SplitMix64
    var model: ReferenceGraph
    /// Users whom the history does not delete, so that the walk's budget keeps running out.
    private(set) var strangers: Set<UserID> = []
    var deleted: [PostID] = []
    var importer: FollowImporter
    var imported: [(follower: String, followee: String)] = []
    var names = 0
    private var wheel: [Operation] = []

    var graph: GraphStore { fixture.graph }

    init(
        _ fixture: GraphFixture, shape: Shape, seed: UInt64, defect: ReferenceGraph.Defect? = nil,
        nemesis: (@Sendable () async throws -> Void)? = nil
    ) {
        self.fixture = fixture
        self.shape = shape
        self.nemesis = nemesis
        random = SplitMix64(seed: seed)
        model = ReferenceGraph(defect: defect)
        importer = FollowImporter(graph: fixture.graph)
        for operation in Operation.allCases {
            let habit = shape.isSwarm ? [0, 1, 1, 4].randomElement(using: &random) ?? 1 : 1
            wheel += Array(repeating: operation, count: operation.weight * habit)
        }
        // Without these operations there would be nothing to ask about.
        wheel += [.follow, .publish, .publish]
    }

    /// Runs the history. Returns the first disagreement with the model, or nil.
    mutating func run() async throws -> Disagreement? {
        try await prepare()
        for step in 0..<shape.steps {
            fixture.clock.advance(by: Int64.random(in: -3...10, using: &random))
            model.now = fixture.clock.now
            guard let operation = wheel.randomElement(using: &random) else { return nil }
            if let nemesis, chance(1, in: Self.stepsBetweenNemeses) { try await nemesis() }
            do {
                try await perform(operation)
                try await ask()
            } catch let wrong as WrongAnswer {
                return Disagreement(step: step, operation: "\(operation)", problem: wrong.problem)
            }
        }
        return nil
    }

    private mutating func prepare() async throws {
        for _ in 0..<shape.users { try await createAccount() }
        for reader in model.users.prefix(shape.wideReaders) {
            for followee in model.users where followee != reader && Int.random(in: 0..<10, using: &random) > 0 {
                try await graph.follows.follow(reader, followee)
                _ = try model.follow(reader, followee)
            }
        }
        for _ in 0..<min(shape.users, 40) { try await perform(.publish) }
        for _ in 0..<3 { try await perform(.createCommunity) }
        if shape.strangersPosts > 0 { try await prepareStrangers() }
    }

    private mutating func prepareStrangers() async throws {
        let pair = try await fixture.users(2, prefix: "stranger")
        for (index, stranger) in pair.enumerated() {
            model.add(stranger, named: "stranger\(index)", accepting: .following)
        }
        strangers = Set(pair)
        try await graph.follows.follow(pair[1], pair[0])
        _ = try model.follow(pair[1], pair[0])
        let posts = (0..<shape.strangersPosts).map {
            NewPost.sample(pair[0], "post \($0)", with: $0.isMultiple(of: 7) ? [pair[1]] : [])
        }
        let ids = try await fixture.publish(posts)
        for (post, id) in zip(posts, ids) { model.publish(post, as: id) }
        let acts = ids.map { (post: $0, user: pair[0]) }
        for (act, entry) in zip(acts, try await fixture.reshare(acts)) {
            model.reshares.append(.init(id: entry.position.rawValue, user: act.user, post: act.post))
        }
    }

    // MARK: Random choices

    mutating func user() throws -> UserID {
        guard let user = model.users.randomElement(using: &random) else { throw GraphError.accountNotFound }
        return user
    }

    mutating func twoUsers() throws -> (UserID, UserID) {
        let first = try user()
        var second = try user()
        while second == first { second = try user() }
        return (first, second)
    }

    /// A mostly recent post, sometimes a deleted one.
    mutating func somePost() -> PostID {
        let unknown = PostID(rawValue: 1)
        switch Int.random(in: 0..<20, using: &random) {
        case 0: return deleted.randomElement(using: &random) ?? unknown
        case 1..<6: return model.posts.randomElement(using: &random)?.id ?? unknown
        default: return model.posts.suffix(30).randomElement(using: &random)?.id ?? unknown
        }
    }

    mutating func someCommunity() -> CommunityID {
        // Sorted by id, so that a seed always gives the same history.
        model.communities.keys.sorted().randomElement(using: &random) ?? CommunityID(rawValue: 1)
    }

    mutating func someTopic() -> String {
        ["Yoga", "yoga", "run", "RUN", "Élan", "élan"].randomElement(using: &random) ?? "run"
    }

    mutating func chance(_ one: Int, in all: Int) -> Bool { Int.random(in: 0..<all, using: &random) < one }
}

struct Disagreement: CustomStringConvertible {
    let step: Int
    let operation: String
    let problem: String

    var description: String { "after step \(step) (\(operation)): \(problem)" }
}

/// An answer of the graph that differs from the model's.
struct WrongAnswer: Error {
    let problem: String
}
