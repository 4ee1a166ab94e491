import SocialGraph
import TestSupport
import Testing

@testable import Timeline

@Suite(.timeLimit(.process))
struct HubReadingTests {
    @Test(.redisServer)
    func `a hub's post is seen at once while Redis stands still, and costs no delivery`() async throws {
        // A push that is given up and sent again may be in a tail twice.
        var conditions = TimelineHarness.Conditions.patient
        conditions.read = .milliseconds(500)
        try await withTimeline(conditions) { harness async throws in
            let (graph, users) = (harness.graph, try await harness.users(8))
            let hub = users[0]
            for user in users.dropFirst() { try await graph.follows.follow(user, hub) }
            for _ in 0..<20 { try await harness.post(hub) }
            try await graph.hubs.setHubThreshold(3)
            try await harness.waitForJobs()
            try await harness.warm(users)
            let before = try await entries(harness)
            await harness.server.stall()
            let post = try await harness.post(hub)
            let stranger = try await harness.post(users[1])
            try await graph.reshares.reshare(stranger, by: hub)
            for user in users {
                let page = try await harness.timelines.home.page(of: user, below: nil, limit: 2)
                #expect(page.items.map(\.post.id).contains(post))
                if user != users[1] { #expect(page.items.map(\.post.id) == [stranger, post]) }
            }
            await harness.server.resume()
            try await harness.waitForJobs()
            // The hub's own window, and that of the stranger's author.
            #expect(try await entries(harness) <= before + 3)
            for user in users {
                #expect(try await harness.walk(user, limit: 7) == graph.feeds.homeByDefinition(of: user).map(\.post))
            }
            #expect(try await harness.verify(users).isClean)
        }
    }

    /// Returns the number of entries in all windows.
    private func entries(_ harness: TimelineHarness) async throws -> Int {
        let keys = try await WindowSpace.stored(in: harness.graph)?.keys
        return try await withConnection(harness.server.configuration) { connection in
            try await WindowStatistics.gather(keys, over: connection).entries
        }
    }

    @Test(.redisServer)
    func `what another process publishes for a hub is on pages when its job has left the outbox`() async throws {
        try await withTimeline { harness async throws in
            let users = try await harness.users(4)
            let (hub, readers) = (users[0], users[1...3])
            for user in readers { try await harness.graph.follows.follow(user, hub) }
            try await harness.graph.hubs.setHubThreshold(1)
            try await harness.waitForJobs()
            try await harness.warm(users)
            for _ in 0..<10 {
                for user in readers { _ = try await harness.timelines.home.page(of: user, below: nil, limit: 3) }
                let post = try await harness.otherGraph.posts.publish(.sample(hub)).id
                // Wakes the worker, so that the job does not wait for the next poll.
                let own = try await harness.post(users[3])
                try await harness.waitForJobs()
                for user in readers {
                    let page = try await harness.timelines.home.page(of: user, below: nil, limit: 3)
                    #expect(page.items.map(\.post.id).contains(post))
                    #expect(page.items.first?.post.id == (user == users[3] ? own : post))
                }
            }
        }
    }

    @Test(.redisServer, arguments: [true, false])
    func `a post of an author whom another process has made a hub is on pages when its job has left the outbox`(
        looks: Bool
    ) async throws {
        // Nothing else tells this process of the hub.
        var mechanisms = SharingMechanisms(looksUnasked: false)
        mechanisms.looksBeforeAcknowledging = looks
        try await withTimeline(mechanisms: mechanisms) { harness async throws in
            let users = try await harness.users(4)
            let (author, readers) = (users[0], users[1...3])
            for user in readers { try await harness.graph.follows.follow(user, author) }
            try await harness.post(author)
            try await harness.waitForJobs()
            try await harness.warm(users)
            for user in readers { _ = try await harness.timelines.home.page(of: user, below: nil, limit: 3) }
            try await harness.otherGraph.hubs.setHubThreshold(1)
            let post = try await harness.post(author)
            try await harness.waitForJobs()
            for user in readers {
                let page = try await harness.timelines.home.page(of: user, below: nil, limit: 3)
                #expect((page.items.first?.post.id == post) == looks)
            }
        }
    }

    @Test(.redisServer)
    func `a reshare that is taken back is gone from the next page, and its next place is taken`() async throws {
        try await withTimeline { harness async throws in
            let (graph, users) = (harness.graph, try await harness.users(4))
            let (me, first, second) = (users[0], users[1], users[2])
            for user in [first, second] { try await graph.follows.follow(me, user) }
            for threshold in [0, 1] as [Int64] {
                try await graph.hubs.setHubThreshold(threshold)
                for user in users[3...] { try await graph.follows.follow(user, first) }
                let post = try await harness.post(users[3])
                try await graph.reshares.reshare(post, by: first)
                let between = try await harness.post(second)
                try await graph.reshares.reshare(post, by: second)
                try await harness.waitForJobs()
                try await harness.warm(users)
                #expect(try await harness.walk(me, limit: 10).prefix(2) == [between, post])
                try await graph.reshares.unreshare(post, by: first)
                let after = try await harness.walk(me, limit: 10).filter { $0 == post || $0 == between }
                // The window may not have the new position yet, but the old one is gone.
                #expect(after == [post, between] || after == [between])
                try await harness.waitForJobs()
                #expect(try await harness.walk(me, limit: 10).prefix(2) == [post, between])
                try await graph.reshares.unreshare(post, by: second)
                #expect(try await !harness.walk(me, limit: 10).contains(post))
            }
        }
    }

    @Test(.redisServer)
    func `no page lacks what has arrived while authors cross the threshold up and down`() async throws {
        try await withTimeline { harness async throws in
            let users = try await harness.users(14)
            let (authors, readers) = (Array(users[0..<4]), Array(users[4...]))
            for reader in readers { for author in authors { try await harness.graph.follows.follow(reader, author) } }
            for author in authors { for _ in 0..<8 { try await harness.post(author) } }
            try await harness.waitForJobs()
            try await harness.warm(users)
            let traffic = HubTraffic(harness: harness, authors: authors, readers: readers)
            try await traffic.run()
            try await harness.waitForJobs()
            for user in users {
                let truth = try await harness.graph.feeds.homeByDefinition(of: user).map(\.post)
                #expect(try await harness.walk(user, limit: 9) == truth)
            }
            try await harness.warm(users)
            let report = try await harness.verify(users)
            #expect(report.isClean && report.windows == users.count, "\(report)")
        }
    }
}

/// Tasks that post, switch and read concurrently.
private struct HubTraffic {
    let graph: GraphStore
    let timelines: Timelines
    let authors: [UserID]
    let readers: [UserID]

    init(harness: TimelineHarness, authors: [UserID], readers: [UserID]) {
        graph = harness.graph
        timelines = harness.timelines
        self.authors = authors
        self.readers = readers
    }

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            let posting = Task { try await post() }
            group.addTask {
                for threshold in (0..<24).map({ [5, 0, 5, 100][$0 % 4] as Int64 }) {
                    try await graph.hubs.setHubThreshold(threshold)
                    // Not for synchronisation: some posts fall into every phase.
                    try await Task.sleep(for: .milliseconds(20))
                }
                posting.cancel()
                try await posting.value
            }
            for task in 0..<4 {
                group.addTask {
                    var random = SplitMix64(seed: UInt64(task))
                    while !posting.isCancelled {
                        try await read(readers.randomElement(using: &random) ?? readers[0], limit: 5 + task * 10)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func post() async throws {
        var random = SplitMix64(seed: 77)
        while !Task.isCancelled {
            let author = authors.randomElement(using: &random) ?? authors[0]
            let post = try await graph.posts.publish(.sample(author)).id
            guard let other = authors.randomElement(using: &random), other != author else { continue }
            if Bool.random(using: &random) { try await graph.reshares.reshare(post, by: other) }
            if Int.random(in: 0..<6, using: &random) == 0 { try await graph.posts.deletePost(post, by: author) }
        }
    }

    /// Reads a page. It has every earlier post without a pending job exactly once, in order.
    private func read(_ viewer: UserID, limit: Int) async throws {
        let before = try await graph.feeds.homeByDefinition(of: viewer)
        let late = Set(
            try await graph.outbox.outboxJobs(above: nil, limit: 100_000).compactMap { job -> PostID? in
                switch job.work {
                case .push(let post, _), .remove(let post, _): post
                case .addReason(let entry, _), .removeReason(let entry, _): entry.post
                default: nil
                }
            })
        let page = try await timelines.home.page(of: viewer, below: nil, limit: limit)
        let shown = page.items.map { FeedEntry(position: $0.position, post: $0.post.id) }
        #expect(zip(shown, shown.dropFirst()).allSatisfy { $0.position > $1.position })
        #expect(Set(shown.map(\.post)).count == shown.count)
        #expect(page.next == nil || shown.count == limit)
        let after = Set(try await graph.feeds.homeByDefinition(of: viewer))
        let due = before.filter {
            $0.position >= page.next ?? .beginning && after.contains($0) && !late.contains($0.post)
        }
        #expect(Set(due).subtracting(shown).isEmpty, "lacks what has arrived")
    }
}
