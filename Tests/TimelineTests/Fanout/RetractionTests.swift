import Database
import Importing
import RedisClient
import SocialGraph
import Synchronization
import TestSupport
import Testing

@testable import Timeline

@Suite(.timeLimit(.process))
struct RetractionTests {
    /// An author whom the reader does not follow, two whom the reader follows, and a post by the author.
    struct Scene {
        let author: UserID
        let first: UserID
        let second: UserID
        let reader: UserID
        let post: PostID
    }

    private func makeScene(_ fanout: FanoutFixture) async throws -> Scene {
        let scene = Scene(
            author: try await fanout.user("author"), first: try await fanout.user("first"),
            second: try await fanout.user("second"), reader: try await fanout.user("reader"),
            post: try await fanout.graph.posts.publish(.sample(try await fanout.user("other"))).id)
        for followee in [scene.first, scene.second] { try await fanout.graph.follows.follow(scene.reader, followee) }
        try await fanout.workOff()
        return scene
    }

    private func reshare(_ scene: Scene, _ user: UserID, _ fanout: FanoutFixture) async throws -> OutboxJob {
        try await fanout.graph.reshares.reshare(scene.post, by: user)
        return try #require(try await fanout.jobs().last)
    }

    private func place(_ job: OutboxJob) -> String {
        guard case .addReason(let entry, _) = job.work else { return "" }
        return "\(entry.post.rawValue)@\(entry.position.rawValue)"
    }

    /// Publishes enough to fill the reader's window past the cap, so that all earlier posts are below the floor.
    private func pushDown(_ scene: Scene, _ fanout: FanoutFixture) async throws {
        let posts = 0..<WindowDepth.defaultSlack * 3 / 2 + 16
        try await fanout.graph.bulkPosts.publish(batch: posts.map { _ in .sample(scene.first) })
        try await fanout.workOff()
    }

    @Test(.redisServer)
    func `a reshare taken back leaves the post at the place of the next one, or nowhere`() async throws {
        try await withFanout { fanout async throws in
            let scene = try await makeScene(fanout)
            try await fanout.build([scene.reader])
            let additions = [
                try await reshare(scene, scene.first, fanout), try await reshare(scene, scene.second, fanout),
            ]
            try await fanout.workOff()
            #expect(try await fanout.entries(scene.reader) == [place(additions[0]), "0"])
            try await fanout.graph.reshares.unreshare(scene.post, by: scene.first)
            try await fanout.workOff()
            #expect(try await fanout.entries(scene.reader) == [place(additions[1]), "0"])
            try await fanout.graph.reshares.unreshare(scene.post, by: scene.second)
            try await fanout.workOff()
            #expect(try await fanout.entries(scene.reader) == ["0"])
        }
    }

    @Test(
        .redisServer,
        arguments: [true, false])
    func `a reshare that is pushed while another is being taken back is not lost`(beforeTheGraphIsAsked: Bool)
        async throws
    {
        try await withFanout { fanout async throws in
            let scene = try await makeScene(fanout)
            try await fanout.build([scene.reader])
            _ = try await reshare(scene, scene.first, fanout)
            try await fanout.workOff()
            try await fanout.graph.reshares.unreshare(scene.post, by: scene.first)
            let reasonRemoval = try #require(try await fanout.jobs().last)
            let late = Guarded<OutboxJob?>(nil)
            @Sendable func shareNow() async throws {
                guard late.withLock({ $0 }) == nil else { return }
                try await fanout.graph.reshares.reshare(scene.post, by: scene.second)
                let addition = try #require(try await fanout.jobs().last)
                late.withLock { $0 = addition }
                try await fanout.run(addition)
            }
            if beforeTheGraphIsAsked {
                fanout.hooked.beforePositions.withLock { $0 = { _ in try await shareNow() } }
            } else {
                fanout.hooked.afterAudience.withLock { $0 = { _, _ in try await shareNow() } }
            }
            try await fanout.run(reasonRemoval)
            let addition = try #require(late.withLock { $0 })
            #expect(try await fanout.entries(scene.reader) == [place(addition), "0"])
        }
    }

    @Test(.redisServer)
    func `where the first reason lay below the floor, the post comes up at the next one above it`() async throws {
        try await withFanout { fanout async throws in
            let scene = try await makeScene(fanout)
            try await fanout.build([scene.reader])
            _ = try await reshare(scene, scene.first, fanout)
            try await pushDown(scene, fanout)
            #expect(try await fanout.has(scene.post, scene.reader) == false)
            let addition = try await reshare(scene, scene.second, fanout)
            try await fanout.workOff()
            // Removes the post, so that only its return is tested.
            try await fanout.windows.writer.remove([scene.post], from: [scene.reader])
            try await fanout.graph.reshares.unreshare(scene.post, by: scene.first)
            try await fanout.workOff()
            #expect(try await fanout.entries(scene.reader).first == place(addition))
        }
    }

    @Test(.redisServer)
    func `where the post stood at a later reason already, it moves to the one that is the first now`() async throws {
        try await withFanout { fanout async throws in
            let scene = try await makeScene(fanout)
            let third = try await fanout.user("third")
            try await fanout.graph.follows.follow(scene.reader, third)
            _ = try await reshare(scene, scene.first, fanout)
            try await fanout.graph.bulkPosts.publish(batch: (0..<20).map { _ in .sample(scene.first) })
            let second = try await reshare(scene, scene.second, fanout)
            try await fanout.graph.bulkPosts.publish(batch: (0..<10).map { _ in .sample(scene.first) })
            try await fanout.workOff()
            // The window is built now, with the first reshare below its floor.
            try await fanout.build([scene.reader])
            let last = try await reshare(scene, third, fanout)
            try await fanout.workOff()
            #expect(try await fanout.entries(scene.reader).first == place(last))
            try await fanout.graph.reshares.unreshare(scene.post, by: scene.first)
            try await fanout.workOff()
            #expect(try await fanout.entries(scene.reader).firstIndex(of: place(second)) == 10)
            #expect(try await fanout.entries(scene.reader).contains(place(last)) == false)
        }
    }

    @Test(.redisServer)
    func `a reshare that a building window received is taken back there, too`() async throws {
        try await withFanout { fanout async throws in
            let scene = try await makeScene(fanout)
            let addition = try await reshare(scene, scene.first, fanout)
            let isFirst = Guarded(true)
            // The push has read its audience. Now the reshare is undone, and a build begins.
            fanout.hooked.afterAudience.withLock {
                $0 = { [graph = fanout.graph] _, _ in
                    guard isFirst.withLock({ $0.take() }) else { return }
                    try await graph.reshares.unreshare(scene.post, by: scene.first)
                }
            }
            fanout.hooked.beforeEntries.withLock {
                $0 = { _ in
                    try await fanout.run(addition)
                    let reasonRemoval = try #require(try await fanout.jobs().last)
                    let chunk = try await fanout.graph.audiences.audience(
                        of: reasonRemoval.work, past: .start, limit: 100)
                    guard case .removeReason(let entry, _) = reasonRemoval.work else { return }
                    _ = try await fanout.windows.writer.retract(entry, from: chunk.members)
                }
            }
            try await fanout.build([scene.reader])
            #expect(try await fanout.entries(scene.reader) == ["0"])
        }
    }

    @Test(.redisServer)
    func `a window whose rebuild was lost half-way is built anew until it is right`() async throws {
        try await withFanout { fanout async throws in
            let scene = try await makeScene(fanout)
            try await fanout.build([scene.reader])
            let post = try await fanout.graph.posts.publish(.sample(scene.author)).id
            try await fanout.workOff()
            let losses = Guarded(3)
            fanout.hooked.beforeEntries.withLock {
                $0 = { [windows = fanout.windows] _ in
                    guard losses.withLock({ $0.countDown() }) else { return }
                    let keys = try await windows.connection.send(RedisCommand("KEYS", ["b:*"])) { reply in
                        try (0..<reply.count).map { try reply[$0].text }
                    }
                    #expect(try await windows.integer(RedisCommand("DEL", keys)) == 1)
                }
            }
            try await fanout.graph.follows.follow(scene.reader, scene.author)
            try await fanout.workOff()
            #expect(losses.withLock { $0 } == -1)
            #expect(try await fanout.has(post, scene.reader))
        }
    }

    @Test(.redisServer)
    func `a rebuild without a window reads nothing`() async throws {
        try await withFanout { fanout async throws in
            fanout.hooked.beforeEntries.withLock { $0 = { _ in Issue.record("the graph was read") } }
            let scene = try await makeScene(fanout)
            #expect(try await fanout.entries(scene.reader).isEmpty)
        }
    }

    @Test(.redisServer)
    func `muting somebody's reshares takes them out, and ending the mute puts them back`() async throws {
        try await withFanout { fanout async throws in
            let scene = try await makeScene(fanout)
            let addition = try await reshare(scene, scene.first, fanout)
            try await fanout.workOff()
            try await fanout.build([scene.reader])
            #expect(try await fanout.entries(scene.reader) == [place(addition), "0"])
            try await fanout.graph.blocksAndMutes.mute(scene.reader, scene.first, [.reshares])
            try await fanout.workOff()
            #expect(try await fanout.entries(scene.reader) == ["0"])
            try await fanout.graph.blocksAndMutes.mute(scene.reader, scene.first, [])
            try await fanout.workOff()
            #expect(try await fanout.entries(scene.reader) == [place(addition), "0"])
        }
    }

    @Test(.redisServer)
    func `an author who is pushed again is pulled until the followers' windows have everything`() async throws {
        try await withFanout { fanout async throws in
            let scene = try await makeScene(fanout)
            try await fanout.graph.hubs.setHubThreshold(1)
            try await fanout.graph.follows.follow(scene.reader, scene.author)
            try await fanout.graph.follows.follow(scene.second, scene.author)
            try await fanout.workOff()
            try await fanout.build([scene.reader])
            #expect(try await fanout.graph.hubs.hubPhase(of: scene.author) == .pulled)
            let pulled = try await fanout.graph.posts.publish(.sample(scene.author)).id
            try await fanout.workOff()
            #expect(try await fanout.has(pulled, scene.reader) == false)
            try await fanout.graph.hubs.setHubThreshold(0)
            #expect(try await fanout.graph.hubs.hubPhase(of: scene.author) == .returning)
            let backfill = try #require(try await fanout.jobs().last)
            // Two more switches follow, so the first backfill ends nothing.
            try await fanout.graph.hubs.setHubThreshold(1)
            try await fanout.graph.hubs.setHubThreshold(0)
            try await fanout.run(backfill)
            #expect(try await fanout.graph.hubs.hubPhase(of: scene.author) == .returning)
            try await fanout.workOff()
            #expect(try await fanout.graph.hubs.hubPhase(of: scene.author) == nil)
            #expect(try await fanout.has(pulled, scene.reader))
        }
    }

    @Test(.redisServer)
    func `a reshare of a post that is deleted meanwhile is not pushed any more`() async throws {
        try await withFanout { fanout async throws in
            let scene = try await makeScene(fanout)
            let post = try await fanout.graph.posts.publish(.sample(scene.author)).id
            try await fanout.workOff()
            try await fanout.build([scene.reader])
            try await fanout.graph.reshares.reshare(post, by: scene.first)
            let addition = try #require(try await fanout.jobs().last)
            try await fanout.graph.posts.deletePost(post, by: scene.author)
            try await fanout.run(addition)
            #expect(try await fanout.entries(scene.reader) == ["0"])
        }
    }
}
