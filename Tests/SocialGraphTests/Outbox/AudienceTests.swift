@testable import SocialGraph
import Database
import Importing
import TestSupport
import Testing

/// Audiences of each kind of job.
@Suite(.timeLimit(.unit))
struct AudienceTests {
    /// Two authors of a post, a resharer, and a follower of each. `outsider` follows nobody.
    private struct Scene {
        let fixture: GraphFixture
        let ann, bob, resharer, annFan, bobFan, resharerFan, outsider: UserID
        let post: PostID
        let reshare: FeedEntry

        init(_ fixture: GraphFixture) async throws {
            self.fixture = fixture
            let users = try await fixture.users(7)
            (ann, bob, resharer) = (users[0], users[1], users[2])
            (annFan, bobFan, resharerFan, outsider) = (users[3], users[4], users[5], users[6])
            let graph = fixture.graph
            try await graph.follows.follow(bob, ann)
            try await graph.follows.follow(annFan, ann)
            try await graph.follows.follow(bobFan, bob)
            try await graph.follows.follow(resharerFan, resharer)
            post = try await fixture.post(ann, with: [bob])
            try await graph.reshares.reshare(post, by: resharer)
            let position = try #require(try await graph.feeds.reshares(of: post, limit: 1).first?.position)
            reshare = FeedEntry(position: position, post: post)
        }

        var push: OutboxJob.Work { .push(post: post, author: ann) }
        var removal: OutboxJob.Work { .remove(post: post, author: ann) }
        var addition: OutboxJob.Work { .addReason(entry: reshare, actor: resharer) }
        var reasonRemoval: OutboxJob.Work { .removeReason(entry: reshare, actor: resharer) }

        /// The audience, which must be the same in chunks of one, two, three and all members.
        func audience(of work: OutboxJob.Work) async throws -> Set<UserID> {
            let whole = try await Set(fixture.graph.wholeAudience(of: work, by: 1_000))
            for limit in [1, 2, 3] {
                #expect(try await Set(fixture.graph.wholeAudience(of: work, by: limit)) == whole, "by \(limit)")
            }
            return whole
        }

        func stands(_ work: OutboxJob.Work) async throws -> Bool {
            let chunk = try await fixture.graph.audiences.audience(of: work, past: .start, limit: 9)
            return chunk.isLive
        }

        /// Lowers the threshold, so that everybody with two followers becomes a hub.
        func makeHubs() async throws { try await fixture.graph.hubs.setHubThreshold(1) }
    }

    private func scene(_ body: (Scene) async throws -> Void) async throws {
        try await withGraph { try await body(Scene($0)) }
    }

    @Test
    func `a push concerns all authors and their followers, a removal the resharers' as well`() async throws {
        try await scene { (scene) async throws in
            #expect(try await scene.audience(of: scene.push) == [scene.ann, scene.bob, scene.annFan, scene.bobFan])
            try await scene.fixture.graph.posts.deletePost(scene.post, by: scene.ann)
            #expect(
                try await scene.audience(of: scene.removal) == [
                    scene.ann, scene.bob, scene.annFan, scene.bobFan, scene.resharer, scene.resharerFan,
                ])
        }
    }

    @Test
    func `a push begins with its authors however small its chunks are`() async throws {
        try await scene { (scene) async throws in
            let first = try await scene.fixture.graph.audiences.audience(of: scene.push, past: .start, limit: 1)
            #expect(Array(first.members.prefix(2)) == [scene.ann, scene.bob])
        }
    }

    @Test
    func `adding and removing a reason concern the actor and the actor's followers`() async throws {
        try await scene { (scene) async throws in
            #expect(try await scene.audience(of: scene.addition) == [scene.resharer, scene.resharerFan])
            try await scene.fixture.graph.reshares.unreshare(scene.post, by: scene.resharer)
            #expect(try await scene.audience(of: scene.reasonRemoval) == [scene.resharer, scene.resharerFan])
        }
    }

    @Test
    func `adding a reason skips those who mute reshares, removing one does not`() async throws {
        try await scene { (scene) async throws in
            let graph = scene.fixture.graph
            try await graph.blocksAndMutes.mute(scene.resharerFan, scene.resharer, .reshares)
            #expect(try await scene.audience(of: scene.addition) == [scene.resharer])
            #expect(try await scene.audience(of: scene.reasonRemoval) == [scene.resharer, scene.resharerFan])
            try await graph.blocksAndMutes.mute(scene.resharerFan, scene.resharer, [.posts, .notifications])
            #expect(try await scene.audience(of: scene.addition) == [scene.resharer, scene.resharerFan])
        }
    }

    @Test
    func `a mute of reshares does not keep a collaborator's post from anybody`() async throws {
        try await scene { (scene) async throws in
            try await scene.fixture.graph.blocksAndMutes.mute(scene.bobFan, scene.bob, .everything)
            let addition = OutboxJob.Work.addReason(entry: FeedEntry(scene.post), actor: scene.bob)
            #expect(try await scene.audience(of: addition) == [scene.bob, scene.bobFan])
        }
    }

    @Test
    func `work whose act was undone does not stand`() async throws {
        try await scene { (scene) async throws in
            let graph = scene.fixture.graph
            let collaboration = OutboxJob.Work.addReason(entry: FeedEntry(scene.post), actor: scene.bob)
            for work in [scene.push, scene.addition, collaboration] { #expect(try await scene.stands(work)) }
            try await graph.collaborations.leaveCollaboration(on: scene.post, by: scene.bob)
            #expect(try await !scene.stands(collaboration))
            try await graph.reshares.unreshare(scene.post, by: scene.resharer)
            #expect(try await !scene.stands(scene.addition))
            // A second reshare is a new act.
            try await graph.reshares.reshare(scene.post, by: scene.resharer)
            #expect(try await !scene.stands(scene.addition))
            try await graph.posts.deletePost(scene.post, by: scene.ann)
            #expect(try await !scene.stands(scene.push))
            for work in [scene.removal, scene.reasonRemoval] { #expect(try await scene.stands(work)) }
        }
    }

    @Test
    func `followers of hubs are left out of a push and an added reason`() async throws {
        try await scene { (scene) async throws in
            try await scene.fixture.graph.follows.follow(scene.outsider, scene.ann)
            try await scene.fixture.graph.follows.follow(scene.outsider, scene.resharer)
            try await scene.makeHubs()
            #expect(try await scene.fixture.graph.hubs.hubPhase(of: scene.ann) == .pulled)
            #expect(try await scene.fixture.graph.hubs.hubPhase(of: scene.bob) == nil)
            #expect(try await scene.audience(of: scene.push) == [scene.ann, scene.bob, scene.bobFan])
            #expect(try await scene.audience(of: scene.addition) == [scene.resharer])
            let backfill = OutboxJob.Work.backfill(author: scene.ann, since: .beginning)
            #expect(try await scene.audience(of: backfill) == [scene.ann])
            let readers = [scene.annFan, scene.bobFan, scene.outsider, scene.ann]
            // Only readers reached through bob count, because he is not a hub.
            let request = PushRequest(posts: [scene.post], author: scene.ann, cursor: .start)
            for (least, expected) in [(0, [scene.bobFan]), (1, [scene.bobFan]), (2, [])] as [(Int64, [UserID])] {
                let priority = PriorityRecipients(leastFollowers: least) { readers }
                let audience = try await scene.fixture.graph.audiences.pushAudiences(
                    of: [request], limit: 1, deliveries: 1, priority: priority)[0]
                #expect(audience.members == expected + [scene.ann, scene.bob])
                // One chunk has the whole audience, so nobody comes early.
                let whole = try await scene.fixture.graph.audiences.pushAudiences(
                    of: [request], limit: 10, deliveries: 1, priority: priority)[0]
                #expect(whole.members == [scene.ann, scene.bob, scene.bobFan])
            }
            // From the switch on, posts are pushed again.
            try await scene.fixture.graph.hubs.setHubThreshold(0)
            #expect(try await scene.fixture.graph.hubs.hubPhase(of: scene.ann) == .returning)
            #expect(try await scene.audience(of: scene.push).contains(scene.annFan))
            #expect(
                try await scene.audience(of: backfill) == [scene.ann, scene.bob, scene.annFan, scene.outsider])
        }
    }

    @Test
    func `what was pushed before its actor became a hub is taken back from all followers`() async throws {
        try await scene { (scene) async throws in
            let graph = scene.fixture.graph
            try await graph.follows.follow(scene.outsider, scene.resharer)
            try await graph.follows.follow(scene.outsider, scene.ann)
            try await scene.makeHubs()
            let late = try await scene.fixture.post(scene.ann)
            try await graph.reshares.reshare(late, by: scene.resharer)
            let position = try #require(try await graph.feeds.reshares(of: late, limit: 1).first?.position)
            let lateReshare = FeedEntry(position: position, post: late)
            let fans: Set = [scene.resharerFan, scene.outsider]
            #expect(try await scene.audience(of: scene.reasonRemoval) == fans.union([scene.resharer]))
            #expect(
                try await scene.audience(of: .removeReason(entry: lateReshare, actor: scene.resharer)) == [
                    scene.resharer
                ])
            for post in [scene.post, late] { try await graph.posts.deletePost(post, by: scene.ann) }
            #expect(
                try await scene.audience(of: scene.removal)
                    == fans.union([
                        scene.ann, scene.bob, scene.annFan, scene.bobFan, scene.resharer,
                    ]))
            #expect(
                try await scene.audience(of: .remove(post: late, author: scene.ann)) == [scene.ann, scene.resharer])
        }
    }

    @Test
    func `an author's later reshare does not hide that the post was pushed before`() async throws {
        try await scene { (scene) async throws in
            let graph = scene.fixture.graph
            for author in [scene.ann, scene.bob] { try await graph.follows.follow(scene.outsider, author) }
            try await scene.makeHubs()
            for author in [scene.ann, scene.bob] {
                #expect(try await graph.hubs.hubPhase(of: author) == .pulled)
                try await graph.reshares.reshare(scene.post, by: author)
            }
            try await graph.posts.deletePost(scene.post, by: scene.ann)
            #expect(
                try await scene.audience(of: scene.removal).isSuperset(of: [
                    scene.annFan, scene.bobFan, scene.outsider,
                ]))
        }
    }

    @Test
    func `a hub's reshare of an old post was never pushed`() async throws {
        try await scene { (scene) async throws in
            let graph = scene.fixture.graph
            let hub = try await scene.fixture.user("hub")
            for fan in [scene.annFan, scene.outsider] { try await graph.follows.follow(fan, hub) }
            try await scene.makeHubs()
            try await graph.reshares.reshare(scene.post, by: hub)
            try await graph.posts.deletePost(scene.post, by: scene.ann)
            let audience = try await scene.audience(of: scene.removal)
            #expect(audience.contains(hub))
            #expect(!audience.contains(scene.outsider))
        }
    }

    @Test(arguments: [255, 256, 257, 600])
    func `a removal reaches the followers of very many resharers, whatever its chunks`(count: Int) async throws {
        try await withGraph { fixture in
            let ann = try await fixture.user("ann")
            let post = try await fixture.post(ann)
            let resharers = try await fixture.users(count, prefix: "resharer")
            var importer = FollowImporter(graph: fixture.graph)
            try await importer.write((0..<count).map { ("fan\($0 / 2)", "resharer\($0)") })
            _ = try await fixture.reshare(resharers.map { (post, $0) })
            try await fixture.graph.posts.deletePost(post, by: ann)
            let fans = try await fixture.integers("SELECT DISTINCT follower_id FROM follow").map(UserID.init(rawValue:))
            let expected = Set(fans + resharers + [ann])
            for limit in [7, 256, 10_000] {
                let work = OutboxJob.Work.remove(post: post, author: ann)
                let audience = try await fixture.graph.wholeAudience(of: work, by: limit)
                #expect(Set(audience) == expected, "by \(limit)")
            }
        }
    }

    @Test
    func `work on readers has no audience`() async throws {
        try await scene { (scene) async throws in
            let works: [OutboxJob.Work] = [
                .rebuild(viewer: scene.ann), .evict(viewers: [scene.ann]), .evictAll, .build(viewers: [scene.ann]),
            ]
            for work in works { #expect(try await scene.audience(of: work) == []) }
        }
    }
}
