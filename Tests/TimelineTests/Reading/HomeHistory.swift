import SocialGraph
import Testing

@testable import Timeline

/// A seeded history of acknowledged writes, reads and faults, applied to a harness and to the model alike.
struct HomeHistory {
    let harness: TimelineHarness
    var random: SplitMix64
    var model = HomeModel()
    var users: [UserID] = []
    private var stepsUntilRedisReturns = 0
    private var stepsUntilRedisGoesOn = 0
    /// What has happened, so that a run cannot pass for want of it.
    private(set) var counts: [String: Int] = [:]
    private(set) var problems: [String] = []
    private(set) var fewestWindows = Int.max

    init(_ harness: TimelineHarness, seed: UInt64) {
        self.harness = harness
        random = SplitMix64(seed: seed)
    }

    mutating func run(users count: Int, rounds: Int, steps: Int) async throws {
        users = try await harness.users(count)
        for user in users {
            for _ in 0..<4 { try await follow(user, someone()) }
        }
        for _ in 0..<rounds {
            for _ in 0..<steps where problems.isEmpty { try await step() }
            try await compareAtRest()
            if !problems.isEmpty { return }
        }
    }

    private mutating func someone() -> UserID { users[Int.random(in: 0..<users.count, using: &random)] }

    private mutating func chance(_ sides: Int) -> Bool { Int.random(in: 0..<sides, using: &random) == 0 }

    private mutating func note(_ name: String) { counts[name, default: 0] += 1 }
}

// MARK: Steps

extension HomeHistory {
    private mutating func step() async throws {
        try await endFaults()
        switch Int.random(in: 0..<1_000, using: &random) {
        case 0..<120: try await follow(someone(), someone())
        case 120..<200: try await unfollow()
        case 200..<550: try await publish()
        case 550..<620: try await delete()
        case 620..<635: try await importFollows()
        case 635..<960: try await readPage()
        case 960..<985: try await walk()
        default: try await fault()
        }
    }

    private mutating func follow(_ follower: UserID, _ followee: UserID) async throws {
        guard follower != followee else { return }
        note("follow")
        try await harness.graph.follow(follower, followee)
        model.follow(follower, followee)
        if chance(2) { try await readPage(of: follower, below: nil) }
    }

    private mutating func unfollow() async throws {
        let follower = someone()
        guard let followee = model.followees[follower]?.sorted().randomElement(using: &random) else { return }
        note("unfollow")
        try await harness.graph.unfollow(follower, followee)
        model.unfollow(follower, followee)
        if chance(2) { try await readPage(of: follower, below: nil) }
        // At once again: the jobs of both may run after both.
        if chance(3) { try await follow(follower, followee) }
    }

    private mutating func publish() async throws {
        // Some post much, so that windows fill and are trimmed.
        let author = chance(2) ? users[Int.random(in: 0..<4, using: &random)] : someone()
        let other = someone()
        let collaborators = chance(4) && other != author ? [other] : []
        note("publish")
        let id = try await harness.post(author, with: collaborators)
        model.publish(id, by: author, with: collaborators)
        if chance(4) { try await readPage(of: author, below: nil) }
    }

    private mutating func delete() async throws {
        guard let post = model.posts.suffix(40).randomElement(using: &random) else { return }
        note("delete")
        try await harness.graph.deletePost(post.id, by: post.author)
        model.delete(post.id)
        if chance(2) { try await readPage(of: post.author, below: nil) }
    }

    private mutating func importFollows() async throws {
        var pairs: [(UserID, UserID)] = []
        for _ in 0..<6 { pairs.append((someone(), someone())) }
        pairs.removeAll { $0.0 == $0.1 }
        let names = Dictionary(uniqueKeysWithValues: users.enumerated().map { ($1, "user\($0)") })
        note("import")
        var importer = FollowImporter(graph: harness.otherGraph)
        try await importer.write(pairs.map { (names[$0.0] ?? "", names[$0.1] ?? "") })
        for (follower, followee) in pairs { model.follow(follower, followee) }
    }

    private mutating func fault() async throws {
        guard stepsUntilRedisReturns == 0, stepsUntilRedisGoesOn == 0 else { return }
        switch Int.random(in: 0..<9, using: &random) {
        case 0, 1:
            note("flush")
            try await harness.server.flushAll()
        case 2, 3:
            note("kill")
            await harness.server.kill()
            stepsUntilRedisReturns = Int.random(in: 1...20, using: &random)
        case 4, 5:
            note("stall")
            await harness.server.stall()
            stepsUntilRedisGoesOn = Int.random(in: 1...10, using: &random)
        default:
            note("restart of the service")
            try await harness.restartService()
        }
    }

    private mutating func endFaults() async throws {
        if stepsUntilRedisReturns > 0 {
            stepsUntilRedisReturns -= 1
            if stepsUntilRedisReturns == 0 { try await harness.server.start() }
        }
        if stepsUntilRedisGoesOn > 0 {
            stepsUntilRedisGoesOn -= 1
            if stepsUntilRedisGoesOn == 0 { await harness.server.resume() }
        }
    }
}

// MARK: Reads

extension HomeHistory {
    private mutating func readPage() async throws {
        let viewer = someone()
        let cursor = chance(3) ? nil : model.posts.randomElement(using: &random)?.id
        try await readPage(of: viewer, below: cursor)
    }

    private mutating func readPage(of viewer: UserID, below cursor: PostID?) async throws {
        note("read")
        let limit = Int.random(in: 1...30, using: &random)
        let pending = try await pendingWork(of: viewer)
        let page = try await harness.reader.home(of: viewer, below: cursor, limit: limit)
        let shown = page.items.map(\.id)
        if page.next != nil, shown.count != limit || page.next != shown.last {
            problems.append("next of \(shown.count) items")
        }
        // Without a next, the page speaks for everything below the cursor.
        let truth = model.home(of: viewer, below: cursor)
        let span = page.next.map { end in truth.filter { $0.id >= end } } ?? truth
        judge(shown, span, pending, "page of \(viewer) below \(String(describing: cursor)) limit \(limit)")
    }

    private mutating func walk() async throws {
        let viewer = someone()
        note("walk")
        let pending = try await pendingWork(of: viewer)
        let shown = try await harness.walk(viewer, limit: Int.random(in: 1...30, using: &random))
        judge(shown, model.home(of: viewer), pending, "walk of \(viewer)")
    }

    /// Posts by others that a read may still lack; nil: any, as an import is on its way.
    private func pendingWork(of viewer: UserID) async throws -> Set<PostID>? {
        var posts: Set<PostID> = []
        for job in try await harness.graph.outboxJobs(above: nil, limit: 100_000) {
            switch job.work {
            case .push(let post, let author) where author != viewer: posts.insert(post)
            case .drop(let viewers) where viewers.contains(viewer): return nil
            default: break
            }
        }
        return posts
    }

    private mutating func judge(_ shown: [PostID], _ truth: [HomeModel.Post], _ pending: Set<PostID>?, _ what: String) {
        if zip(shown, shown.dropFirst()).contains(where: { $0 <= $1 }) { problems.append("\(what): not descending") }
        let hidden = Set(shown).subtracting(truth.map(\.id))
        if !hidden.isEmpty { problems.append("\(what): shows hidden \(hidden)") }
        guard let pending else { return }
        let missing = Set(truth.map(\.id)).subtracting(shown).subtracting(pending)
        if !missing.isEmpty { problems.append("\(what): misses \(missing) of \(truth.count)") }
    }

    /// Everything of everybody, once the outbox has settled: twice, as the first reads give windows to those who lack
    /// one.
    private mutating func compareAtRest() async throws {
        while stepsUntilRedisReturns + stepsUntilRedisGoesOn > 0 { try await endFaults() }
        try await harness.waitUntilUp()
        for _ in 0..<2 {
            try await harness.settle()
            for user in users {
                let shown = try await harness.walk(user, limit: Int.random(in: 1...40, using: &random))
                let truth = model.home(of: user).map(\.id)
                if shown != truth { problems.append("at rest: \(user) sees \(shown.count) of \(truth.count)") }
            }
        }
        try await harness.settle()
        let report = try await harness.verify(users)
        fewestWindows = min(fewestWindows, report.windows)
        if !report.isClean { problems.append("verifier: \(report)") }
    }
}
