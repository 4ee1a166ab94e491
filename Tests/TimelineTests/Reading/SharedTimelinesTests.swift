import Database
import Importing
import Moderation
import SocialGraph
import Synchronization
import TestSupport
import Testing

@testable import Timeline

/// Several nodes over one database and one Redis: each request goes to any of them.
@Suite(.timeLimit(.model))
struct SharedTimelinesTests {
    @Test(.redisServer, arguments: [1, 2] as [UInt64])
    func `three nodes, of which one is stopped or killed now and then: every read on any is right`(
        seed: UInt64
    ) async throws {
        try await withTimeline(nodes: 3, .impatient) { harness in
            var history = HomeHistory(harness, seed: seed, isSwarm: false)
            try await history.run(users: 24, rounds: 3, steps: 300)
            try #require(history.problems.isEmpty, "seed \(seed)")
            #expect(history.fewestWindows >= 22, "windows must be there to be compared")
            for act in [HomeHistory.Act.kill, .stall, .flush, .restart] {
                #expect(history.counts[act.rawValue, default: 0] > 0, "\(act) has not happened")
            }
        }
    }

    @Test(.redisServer, arguments: [true, false])
    func `a request hears of what was committed before it through another node`(confirms: Bool) async throws {
        let mechanisms = SharingMechanisms(confirmsReads: confirms, looksUnasked: false)
        try await Self.withReader(mechanisms) { harness, author, reader, post in
            // Nobody takes the post out of the window.
            try await harness.leaveFanout(to: nil)
            try await harness.graph(of: 0).posts.deletePost(post, by: author)
            #expect(try await Self.page(of: reader, harness) == (confirms ? [] : [post]))
        }
    }

    @Test(.redisServer, arguments: [true, false])
    func `an author sees a post on every node before it is delivered`(follows: Bool) async throws {
        let mechanisms = SharingMechanisms(looksUnasked: false, followsJobs: follows)
        try await Self.withReader(mechanisms) { harness, author, _, post in
            try await harness.leaveFanout(to: nil)
            let new = try await harness.graph(of: 0).posts.publish(.sample(author)).id
            #expect(try await Self.page(of: author, harness) == (follows ? [new, post] : [post]))
        }
    }

    @Test(.redisServer, arguments: [true, false])
    func `a new generation of windows is in force on every node`(follows: Bool) async throws {
        let mechanisms = SharingMechanisms(followsGenerations: follows)
        try await Self.withReader(mechanisms) { harness, author, reader, post in
            let graph = harness.graph(of: 0)
            let imported = try await graph.bulkPosts.publish(batch: [.sample(author)], fanout: .evict)
            try await harness.waitForJobs()
            let new = try await graph.posts.publish(.sample(author)).id
            try await harness.waitForJobs()
            #expect(try await Self.page(of: reader, harness) == (follows ? [new] + imported : []) + [post])
        }
    }

    @Test(.redisServer, arguments: [true, false])
    func `a window that was read before the look is dropped if the look finds something`(drops: Bool) async throws {
        var mechanisms = SharingMechanisms(looksUnasked: false)
        mechanisms.dropsEarlyWindows = drops
        try await Self.withReader(mechanisms) { harness, author, reader, post in
            let (service, graph) = (harness.services[1], harness.graph(of: 0))
            let followed = try await graph.accounts.createAccount(username: "other", email: nil, passwordHash: nil).id
            let other = try await graph.posts.publish(.sample(followed)).id
            try await harness.waitForJobs()
            let read = await service.readers.home.sources.early(of: reader, count: 4)
            let early = try #require(read, "a window is trusted")
            // Acknowledged before the look, and applied to the window before it, too, so that nobody waits for a job.
            try await graph.follows.follow(reader, followed)
            try await harness.waitForJobs()
            try await service.confirm()
            let page = try await service.readers.home.page(of: reader, below: nil, limit: 3, early: early)
            #expect(page.items.map(\.post.id) == (drops ? [other, post] : [post]))
        }
    }

    @Test(.redisServer)
    func `a window that was read beside the look is used while nothing happens`() async throws {
        try await Self.withReader(SharingMechanisms(looksUnasked: false)) { harness, _, reader, post in
            let service = harness.services[1]
            let sources = service.readers.home.sources
            // An earlier commit may come to this node's notice meanwhile.
            var early = try await service.confirm(reading: (viewer: reader, limit: 3))
            while early.map({ sources.holds($0, of: reader, count: 4) }) != true {
                try Task.checkCancellation()
                early = try await service.confirm(reading: (viewer: reader, limit: 3))
            }
            #expect(!sources.holds(try #require(early), of: reader, count: 5), "it may have been cut")
            // Whatever is in Redis now.
            try await harness.server.flushAll()
            let page = try await service.readers.home.page(of: reader, below: nil, limit: 3, early: early)
            #expect(page.items.map(\.post.id) == [post])
        }
    }

    @Test(.redisServer)
    func `a filter window has a reshare of which its node has not heard when it is built`() async throws {
        try await Self.withReader(SharingMechanisms(looksUnasked: false)) { harness, author, reader, _ in
            let (graph, service) = (harness.graph(of: 0), harness.services[1])
            let stranger = try await graph.accounts.createAccount(username: "other", email: nil, passwordHash: nil).id
            let post = try await graph.posts.publish(.sample(stranger, tags: ["rare"])).id
            try await harness.waitForJobs()
            try await service.confirm()
            let filter = try await service.readers.filters.filter(category: nil, algorithms: ["rare"]).filter
            // The second node knows that nobody has reshared the post.
            #expect(try await service.parts.caches.reshares(of: [post]).count == 1)
            try await graph.reshares.reshare(post, by: author)
            try await harness.waitForJobs()
            let windows = service.readers.home.filterWindows
            windows.requestBuild(FilterWindows.Key(viewer: reader, filter: filter))
            // Not for synchronisation: the pause between two polls.
            while windows.requests.pending > 0 { try await Task.sleep(for: .milliseconds(5)) }
            try await service.confirm()
            let page = try await service.readers.home.page(of: reader, below: nil, limit: 3, filter: filter)
            #expect(page.items.map(\.post.id) == [post])
        }
    }

    /// Runs `body` on two nodes, with an author and a reader, who both have windows with a post by the author. The
    /// first node does the fan-out.
    private static func withReader(
        _ mechanisms: SharingMechanisms, _ body: (TimelineHarness, UserID, UserID, PostID) async throws -> Void
    ) async throws {
        var conditions = TimelineHarness.Conditions.patient
        conditions.isSwept = false
        try await withTimeline(nodes: 2, mechanisms: mechanisms, conditions) { harness in
            try await harness.leaveFanout(to: 0)
            let users = try await harness.users(6)
            for user in users.dropFirst() { try await harness.graph(of: 0).follows.follow(user, users[0]) }
            let post = try await harness.post(users[0])
            try await harness.warm(users)
            // Not for synchronisation: the pause between two polls.
            while try await harness.verify(Array(users.prefix(2))).windows < 2 {
                try await Task.sleep(for: .milliseconds(5))
            }
            for service in harness.services {
                try await service.parts.follower.catchUp()
                while service.readers.home.sources.pendingWrites.count > 0 {
                    // Not for synchronisation: the pause between two polls.
                    try await Task.sleep(for: .milliseconds(5))
                }
                for user in users.prefix(2) { _ = try await service.readers.home.page(of: user, below: nil, limit: 3) }
            }
            try await body(harness, users[0], users[1], post)
        }
    }

    /// The first page at the second node.
    private static func page(of reader: UserID, _ harness: TimelineHarness) async throws -> [PostID] {
        let service = harness.services[1]
        let early = try await service.confirm(reading: (viewer: reader, limit: 3))
        return try await service.readers.home.page(of: reader, below: nil, limit: 3, early: early).items.map(\.post.id)
    }

    @Test(.redisServer, arguments: [true, false])
    func `a window that leaves out a hub is not shown by a node that has not heard of the hub`(
        compares: Bool
    ) async throws {
        var mechanisms = SharingMechanisms(looksUnasked: false)
        mechanisms.comparesHubs = compares
        try await Self.withReader(mechanisms) { harness, _, reader, post in
            // From here on, the second node hears of nothing.
            try await harness.graph(of: 0).hubs.setHubThreshold(2)
            try await harness.graph(of: 0).outbox.enqueueDrop(of: [reader])
            try await harness.waitForJobs()
            while try await harness.verify([reader]).windows == 0 {
                try await harness.confirm(0)
                _ = try await harness.node(0).home.page(of: reader, below: nil, limit: 3)
                try await harness.waitForJobs()
            }
            let page = try await harness.node(1).home.page(of: reader, below: nil, limit: 3)
            #expect(page.items.map(\.post.id) == (compares ? [post] : []))
        }
    }

    @Test(.redisServer)
    func `nothing that was hidden through one node before a request began is on its page at another`() async throws {
        try await withTimeline(nodes: 3) { harness in
            let users = try await harness.users(12)
            let (author, readers) = (users[0], Array(users.dropFirst()))
            for reader in readers { try await harness.graph(of: 0).follows.follow(reader, author) }
            try await harness.warm(users)
            let (hidden, services, seen) = (HiddenPosts(), harness.services, Guarded(0))
            let reading = (readers + readers).enumerated().map { index, reader in
                let service = services[1 + index % 2]
                return Task {
                    while !hidden.isComplete {
                        let gone = hidden.posts
                        let early = try await service.confirm(reading: (viewer: reader, limit: 10))
                        let page = try await service.readers.home.page(
                            of: reader, below: nil, limit: 10, early: early)
                        seen.withLock { $0 += page.items.count }
                        let shown = page.items.map(\.post.id).filter(gone.contains)
                        #expect(shown.isEmpty, "\(reader) at node \(1 + index % 2)")
                    }
                }
            }
            for number in 0..<300 {
                let post = try await harness.graph(of: 0).posts.publish(.sample(author)).id
                // Not for synchronisation: some are hidden before they are delivered, some meanwhile, and some later.
                try await Task.sleep(for: .milliseconds(number % 8))
                // However late all others are delivered, one is seen before it is hidden.
                while number == 0, seen.withLock({ $0 }) == 0 { try await Task.sleep(for: .milliseconds(1)) }
                if number.isMultiple(of: 2) {
                    try await harness.graph(of: 0).posts.deletePost(post, by: author)
                } else {
                    try await harness.graph(of: 0).communities.setTakenDown(true, post: post)
                }
                hidden.insert(post)
            }
            hidden.complete()
            for task in reading { try await task.value }
            #expect(seen.withLock { $0 } > 0, "posts are seen before they are hidden")
        }
    }
}

/// The posts whose hiding has been acknowledged.
private final class HiddenPosts: Sendable {
    private let state = Mutex<(posts: Set<PostID>, isComplete: Bool)>(([], false))

    var posts: Set<PostID> { state.withLock(\.posts) }
    var isComplete: Bool { state.withLock(\.isComplete) }

    func insert(_ post: PostID) { state.withLock { _ = $0.posts.insert(post) } }
    func complete() { state.withLock { $0.isComplete = true } }
}
