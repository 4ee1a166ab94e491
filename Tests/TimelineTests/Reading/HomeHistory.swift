import SocialGraph
import TestSupport
import Testing

@testable import Timeline

/// A seeded history of acknowledged writes, reads and faults. Every read is compared with the definition at that
/// moment.
struct HomeHistory {
    enum Act: String, CaseIterable {
        case follow, unfollow, publish, delete, importFollows, block, unblock, mute, unmute, reshare, unreshare
        case invite, accept, decline, leavePost, removeCollaborator, followTopic, unfollowTopic, switches
        case join, leaveCommunity, communitySwitch, remove, takeDown, ban, role, threshold, rebuild, audit
        case suspend, silence, hold, archive, seclude, decide, open, passTime, upkeep, muteWord, unmuteWord
        case switchOver, importPosts, like, unlike, comment, uncomment, shareElsewhere, rename, privacy
        case page, walk, filtered, everything, community, why, flush, kill, stall, restart

        var weight: Int {
            switch self {
            case .publish: 130
            case .page: 120
            case .reshare, .follow, .filtered: 60
            case .unfollow, .mute, .unreshare: 25
            case .like, .comment: 30
            case .delete, .invite, .accept, .why, .walk, .everything, .community: 20
            case .block, .restart, .kill, .stall, .flush: 4
            case .rebuild, .audit: 8
            default: 10
            }
        }
    }

    let harness: TimelineHarness
    var random: SplitMix64
    var users: [UserID] = []
    var communities: [CommunityID] = []
    var posts: [PostID] = []
    var takenDown: [PostID] = []
    var suspended: [UserID] = []
    var silenced: [UserID] = []
    var held: [PostID] = []
    var secluded: [UserID] = []
    /// Posts published by another process. Readers here have no acknowledgement of them.
    var imported: Set<PostID> = []
    /// Filters that were read, the latest last.
    var filters: [(viewer: UserID, condition: FeedTruth.Condition)] = []
    /// The server that was killed or stalled last.
    var broken = 0
    var stepsUntilRedisReturns = 0
    var stepsUntilRedisGoesOn = 0
    /// The number of events of each kind, so that a run without events cannot pass.
    private(set) var counts: [String: Int] = [:]
    private(set) var problems: [String] = []
    private(set) var fewestWindows = Int.max
    private let isSwarm: Bool
    /// Work done now and then between two steps, such as the restart of a server.
    private let nemesis: (@Sendable () async throws -> Void)?
    /// Ends what the nemesis has begun.
    private let makePeace: (@Sendable () async throws -> Void)?
    /// Steps between two acts of the nemesis, on average.
    private let stepsBetweenNemeses: Int
    private var wheel: [Act] = []

    var graph: GraphStore { harness.graph }
    var isRedisUp: Bool { stepsUntilRedisReturns + stepsUntilRedisGoesOn == 0 }
    var truth: FeedTruth { FeedTruth(graph: harness.graph) }

    /// - Parameters:
    ///   - isSwarm: whether the seed prefers some acts and leaves others out.
    ///   - nemesis: work that is done now and then between two steps.
    ///   - makePeace: ends what the nemesis has begun, before all timelines are compared.
    init(
        _ harness: TimelineHarness, seed: UInt64, isSwarm: Bool, stepsBetweenNemeses: Int = 100,
        nemesis: (@Sendable () async throws -> Void)? = nil, makePeace: (@Sendable () async throws -> Void)? = nil
    ) {
        self.harness = harness
        self.isSwarm = isSwarm
        self.stepsBetweenNemeses = stepsBetweenNemeses
        self.nemesis = nemesis
        self.makePeace = makePeace
        random = SplitMix64(seed: seed)
        for act in Act.allCases {
            let habit = isSwarm ? [0, 1, 1, 3].randomElement(using: &random) ?? 1 : 1
            wheel += Array(repeating: act, count: act.weight * habit)
        }
        wheel += [.publish, .page, .follow]
    }

    mutating func run(users count: Int, rounds: Int, steps: Int) async throws {
        try await begin(users: count)
        for round in 0..<rounds {
            for _ in 0..<steps where problems.isEmpty {
                try await step(wheel.randomElement(using: &random) ?? .page)
            }
            // Chance leaves out a rare act now and then.
            for act in Act.allCases.shuffled(using: &random)
            where round == rounds - 1 && !isSwarm && counts[act.rawValue] == nil && problems.isEmpty {
                try await step(act)
            }
            try await compareAtRest()
            if !problems.isEmpty { return }
        }
    }

    private mutating func step(_ act: Act) async throws {
        try await endFaults()
        if let nemesis, chance(stepsBetweenNemeses) {
            try await nemesis()
            note("nemesis")
        }
        note(act.rawValue)
        try await perform(act, by: someone())
    }

    /// Creates users with some follows, and communities.
    mutating func begin(users count: Int) async throws {
        users = try await harness.users(count)
        for user in users {
            for _ in 0..<4 { try await perform(.follow, by: user) }
        }
        for index in 0..<3 {
            communities.append(
                try await graph.communities.createCommunity(
                    name: "community\(index)", description: "", by: users[index], isPrivate: index == 2
                ).id)
        }
    }

    mutating func someone() -> UserID { users[Int.random(in: 0..<users.count, using: &random)] }
    mutating func chance(_ sides: Int) -> Bool { Int.random(in: 0..<sides, using: &random) == 0 }
    mutating func note(_ name: String) { counts[name, default: 0] += 1 }
    mutating func fail(_ problem: String) { problems.append(problem) }

    /// Compares all timelines of all users once the outbox is empty. It does so twice, because the first reads build
    /// missing windows.
    private mutating func compareAtRest() async throws {
        while stepsUntilRedisReturns + stepsUntilRedisGoesOn > 0 { try await endFaults() }
        try await makePeace?()
        try await harness.waitUntilUp()
        for _ in 0..<2 {
            try await harness.waitForJobs()
            for user in users {
                let shown = try await harness.walk(user, limit: Int.random(in: 1...40, using: &random))
                let wanted = try await truth.home(of: user).map(\.post)
                if shown != wanted {
                    fail(
                        """
                        at rest: \(user) sees \(shown.count) of \(wanted.count); \
                        missing \(Set(wanted).subtracting(shown)), extra \(Set(shown).subtracting(wanted))
                        """)
                }
            }
        }
        try await harness.waitForJobs()
        var report = try await harness.verify(users)
        // A Redis that was slow for a moment has left readers without a window.
        for _ in 0..<5 where report.isClean && report.windows < users.count - 2 {
            for user in users { _ = try await harness.walk(user, limit: 20) }
            try await harness.waitForJobs()
            report = try await harness.verify(users)
        }
        fewestWindows = min(fewestWindows, report.windows)
        if !report.isClean { fail("verifier: \(report)") }
    }
}
