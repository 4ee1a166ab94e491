import SocialGraph
import Testing

/// A seeded history of operations, applied to a graph and to the reference model alike, with a question after each.
struct RandomHistory {
    /// What a network looks like before the random operations begin.
    struct Shape: Sendable, CustomTestStringConvertible {
        let name: String
        /// Users at the start.
        var users = 12
        /// Users that follow most of the others at the start: readers whose home is walked.
        var wideReaders = 0
        /// Posts by people whom nobody follows, on top of the others': where a walk's budget runs out.
        var strangersPosts = 0
        let steps: Int

        var testDescription: String { name }

        static let small = Shape(name: "few people", steps: 2_500)
        static let wide = Shape(name: "readers of many", users: 70, wideReaders: 6, steps: 1_000)
        static let vast = Shape(
            name: "readers of many among strangers", users: 64, wideReaders: 4,
            strangersPosts: SocialGraphLimits.homeWalkBudget + 300, steps: 250)
    }

    let fixture: GraphFixture
    let shape: Shape
    var random: SplitMix64
    var model: ReferenceGraph
    /// Not deleted by the history, so that the walk's budget keeps running out.
    private var strangers: Set<UserID> = []
    private var importer: FollowImporter
    private var imported: [(follower: String, followee: String)] = []
    private var names = 0

    var graph: GraphStore { fixture.graph }

    init(_ fixture: GraphFixture, shape: Shape, seed: UInt64, defect: ReferenceGraph.Defect? = nil) {
        self.fixture = fixture
        self.shape = shape
        random = SplitMix64(seed: seed)
        model = ReferenceGraph(defect: defect)
        importer = FollowImporter(graph: fixture.graph)
    }

    /// Runs it. Returns the first disagreement with the model, and nil if there was none.
    mutating func run() async throws -> Disagreement? {
        try await prepare()
        for step in 0..<shape.steps {
            let operation = try await operate()
            if let problem = try await ask() { return Disagreement(step: step, operation: operation, problem: problem) }
        }
        return nil
    }

    // MARK: Operations

    private mutating func prepare() async throws {
        for _ in 0..<shape.users { try await createAccount() }
        for reader in model.users.prefix(shape.wideReaders) {
            for followee in model.users where followee != reader && Int.random(in: 0..<10, using: &random) > 0 {
                try await graph.follow(reader, followee)
                _ = model.follow(reader, followee)
            }
        }
        for _ in 0..<min(shape.users, 40) { try await publish(by: try user()) }
        guard shape.strangersPosts > 0 else { return }
        let pair = try await fixture.users(2, prefix: "stranger")
        for (index, stranger) in pair.enumerated() { model.add(stranger, named: "stranger\(index)") }
        strangers = Set(pair)
        try await graph.follow(pair[1], pair[0])
        _ = model.follow(pair[1], pair[0])
        let posts = (0..<shape.strangersPosts).map {
            NewPost.sample(pair[0], "post \($0)", with: $0.isMultiple(of: 7) ? [pair[1]] : [])
        }
        for (post, id) in zip(posts, try await graph.publish(batch: posts)) { model.publish(post, as: id) }
    }

    private mutating func operate() async throws -> String {
        fixture.clock.advance(by: Int64.random(in: -3...10, using: &random))
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<3:
            try await createAccount()
            return "createAccount"
        case 3..<30:
            return try await followOrUnfollow(follows: true)
        case 30..<45:
            return try await followOrUnfollow(follows: false)
        case 45..<75:
            try await publish(by: user())
            return "publish"
        case 75..<88:
            return try await deletePost()
        case 88..<94:
            return try await publishBatch()
        default:
            return try await importFollows()
        }
    }

    private mutating func createAccount() async throws {
        names += 1
        let name = "Person\(names)"
        model.add(try await fixture.user(name), named: name)
    }

    private mutating func followOrUnfollow(follows: Bool) async throws -> String {
        let (follower, followee) = (try user(), try user())
        guard follower != followee, !strangers.contains(followee) else { return "nothing" }
        let changed = try await follows ? graph.follow(follower, followee) : graph.unfollow(follower, followee)
        let expected = follows ? model.follow(follower, followee) : model.unfollow(follower, followee)
        return changed == expected ? "\(follows ? "follow" : "unfollow")" : "follow with the wrong answer \(changed)"
    }

    private mutating func publish(by author: UserID) async throws {
        let post = try newPost(by: author)
        model.publish(post, as: try await graph.publish(post).id)
    }

    private mutating func publishBatch() async throws -> String {
        let posts = try (0..<Int.random(in: 1...6, using: &random)).map { _ in try newPost(by: user()) }
        for (post, id) in zip(posts, try await graph.publish(batch: posts)) { model.publish(post, as: id) }
        return "publish batch"
    }

    private mutating func newPost(by author: UserID) throws -> NewPost {
        var post = NewPost.sample(author, "caption")
        let friends = model.list(author, .followers) + [try user()]
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            guard let friend = friends.randomElement(using: &random), friend != author else { continue }
            post.collaborators.append(friend)
        }
        post.algorithmTags = (0..<Int.random(in: 0...3, using: &random)).map { _ in
            ["Yoga", "yoga", "run", "RUN", "Élan", "élan"].randomElement(using: &random) ?? "run"
        }
        return post
    }

    private mutating func deletePost() async throws -> String {
        let candidates = model.posts.suffix(30).filter { !strangers.contains($0.author) }
        guard let post = candidates.randomElement(using: &random) else { return "nothing" }
        if (try? await graph.deletePost(post.id, by: post.author)) == nil { return "delete refused" }
        model.delete(post.id)
        return "delete"
    }

    private mutating func importFollows() async throws -> String {
        if Int.random(in: 0..<4, using: &random) > 0 || imported.isEmpty {
            imported = try (0..<Int.random(in: 1...12, using: &random)).compactMap { _ in
                let pair = (follower: try anyName(), followee: try anyName())
                return pair.follower.lowercased() == pair.followee.lowercased() ? nil : pair
            }
        }
        try await importer.write(imported)
        for edge in imported {
            let follower = try await importedUser(edge.follower)
            let followee = try await importedUser(edge.followee)
            _ = model.follow(follower, followee)
        }
        return "import"
    }

    private mutating func importedUser(_ name: String) async throws -> UserID {
        if let known = model.names[name.lowercased()] { return known }
        guard let created = try await graph.account(username: name) else { throw GraphError.accountNotFound }
        model.add(created.id, named: name)
        return created.id
    }

    /// A known user in another spelling, or somebody new.
    private mutating func anyName() throws -> String {
        if Int.random(in: 0..<6, using: &random) == 0 { return "import\(Int.random(in: 0..<40, using: &random))" }
        let name = "person\(Int.random(in: 1...max(names, 1), using: &random))"
        return Bool.random(using: &random) ? name : name.uppercased()
    }

    mutating func user() throws -> UserID {
        guard let user = model.users.randomElement(using: &random) else { throw GraphError.accountNotFound }
        return user
    }
}

struct Disagreement: CustomStringConvertible {
    let step: Int
    let operation: String
    let problem: String

    var description: String { "after step \(step) (\(operation)): \(problem)" }
}
