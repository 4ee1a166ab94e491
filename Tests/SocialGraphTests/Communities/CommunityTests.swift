@testable import Moderation
@testable import SocialGraph
import Database
import Importing
import TestSupport
import Testing

/// Communities, their moderators, and topics.
@Suite(.timeLimit(.unit))
struct CommunityTests {
    private func community(
        _ fixture: GraphFixture, by owner: UserID, isPrivate: Bool = false
    ) async throws -> CommunityID {
        try await fixture.graph.communities.createCommunity(
            name: "Runners", description: "d", by: owner, isPrivate: isPrivate
        ).id
    }

    private func post(_ fixture: GraphFixture, _ author: UserID, in community: CommunityID) async throws -> PostID {
        var post = NewPost.sample(author)
        post.community = community
        return try await fixture.graph.posts.publish(post).id
    }

    @Test
    func `a name is taken however it is written`() async throws {
        try await withGraph { fixture in
            let ann = try await fixture.user("ann")
            let id = try await community(fixture, by: ann)
            await #expect(throws: GraphError.communityNameTaken("RUNNERS")) {
                try await fixture.graph.communities.createCommunity(name: "RUNNERS", description: "", by: ann)
            }
            await #expect(throws: GraphError.accountNotFound) {
                try await fixture.graph.communities.createCommunity(name: "x", description: "", by: UserID(rawValue: 3))
            }
            let stored = try await fixture.graph.communities.community(id)
            #expect([stored.name, stored.description] == ["Runners", "d"])
            #expect(stored.membersCount == 1)
            #expect(try await fixture.graph.communities.membership(of: ann, in: id)?.role == .owner)
        }
    }

    @Test
    func `what is not possible in a community is refused by name`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let users = try await fixture.users(3)
            let (owner, member, other) = (users[0], users[1], users[2])
            let id = try await community(fixture, by: owner)
            #expect(try await graph.communities.joinCommunity(id, by: member) == .joined)
            #expect(try await graph.communities.joinCommunity(id, by: member) == .wasMember)
            await #expect(throws: GraphError.ownerCannotLeave) {
                try await graph.communities.leaveCommunity(id, by: owner)
            }
            await #expect(throws: GraphError.ownerCannotLeave) {
                try await graph.communities.setBanned(true, owner, from: id)
            }
            await #expect(throws: GraphError.ownerCannotLeave) {
                try await graph.communities.setRole(.member, of: owner, in: id)
            }
            await #expect(throws: GraphError.ownerCannotLeave) {
                try await graph.communities.setRole(.owner, of: member, in: id)
            }
            await #expect(throws: GraphError.notMember) {
                try await graph.communities.setRole(.moderator, of: other, in: id)
            }
            await #expect(throws: GraphError.notMember) {
                try await graph.communities.setCommunity(id, isInHome: false, for: other)
            }
            await #expect(throws: GraphError.notMember) { _ = try await post(fixture, other, in: id) }
            #expect(try await !graph.communities.leaveCommunity(id, by: other))
            #expect(try await graph.communities.leaveCommunity(id, by: member))
            #expect(try await graph.communities.community(id).membersCount == 1)
        }
    }

    @Test
    func `an unknown community is not found by anything`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let ann = try await fixture.user("ann")
            let unknown = CommunityID(rawValue: 3)
            let asked: [@Sendable () async throws -> Void] = [
                { _ = try await graph.communities.community(unknown) },
                { try await graph.communities.joinCommunity(unknown, by: ann) },
                { try await graph.communities.leaveCommunity(unknown, by: ann) },
                { try await graph.communities.setCommunity(unknown, isInHome: true, for: ann) },
                { try await graph.communities.setLocked(true, community: unknown) },
                { try await graph.communities.setBanned(true, ann, from: unknown) },
                { try await graph.communities.setBanned(false, ann, from: unknown) },
                { _ = try await post(fixture, ann, in: unknown) },
            ]
            for ask in asked { await #expect(throws: GraphError.communityNotFound) { try await ask() } }
            #expect(try await graph.changes.latestChange() == 0)
        }
    }

    @Test
    func `a ban ends the membership until it is lifted, and gives it back as it was`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let users = try await fixture.users(2)
            let id = try await community(fixture, by: users[0])
            try await graph.communities.joinCommunity(id, by: users[1])
            try await graph.communities.setCommunity(id, isInHome: false, for: users[1])
            try await graph.communities.setRole(.moderator, of: users[1], in: id)
            let before = try await graph.communities.members(of: id, below: nil, limit: 5).items
            for _ in 0..<2 { try await graph.communities.setBanned(true, users[1], from: id) }
            #expect(try await graph.communities.community(id).membersCount == 1)
            await #expect(throws: GraphError.bannedFromCommunity) {
                try await graph.communities.joinCommunity(id, by: users[1])
            }
            await #expect(throws: GraphError.bannedFromCommunity) { _ = try await post(fixture, users[1], in: id) }
            for _ in 0..<2 { try await graph.communities.setBanned(false, users[1], from: id) }
            #expect(try await graph.communities.members(of: id, below: nil, limit: 5).items == before)
            #expect(try await graph.communities.membership(of: users[1], in: id)?.isInHome == false)
            #expect(try await graph.communities.joinCommunity(id, by: users[1]) == .wasMember)
        }
    }

    @Test
    func `where a community is locked, only its moderators post, also in a batch`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let users = try await fixture.users(2)
            let id = try await community(fixture, by: users[0])
            try await graph.communities.joinCommunity(id, by: users[1])
            try await graph.communities.setLocked(true, community: id)
            await #expect(throws: GraphError.communityLocked) { _ = try await post(fixture, users[1], in: id) }
            var batch = [NewPost.sample(users[1]), .sample(users[1])]
            batch[1].community = id
            let refused = batch
            await #expect(throws: GraphError.communityLocked) { try await graph.bulkPosts.publish(batch: refused) }
            #expect(try await fixture.integer("SELECT COUNT(*) FROM post") == 0)
            _ = try await post(fixture, users[0], in: id)
            try await graph.communities.setRole(.moderator, of: users[1], in: id)
            _ = try await post(fixture, users[1], in: id)
            try await graph.communities.setRole(.member, of: users[1], in: id)
            try await graph.communities.setLocked(false, community: id)
            _ = try await post(fixture, users[1], in: id)
        }
    }

    @Test
    func `pins are in their order, bounded, of the community, and go with their post`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let ann = try await fixture.user("ann")
            let id = try await community(fixture, by: ann)
            let elsewhere = try await fixture.post(ann)
            await #expect(throws: GraphError.postNotFound) {
                try await graph.communities.setPinned(true, elsewhere, in: id)
            }
            var posts: [PostID] = []
            for _ in 0...SocialGraphLimits.pinsPerCommunity { posts.append(try await post(fixture, ann, in: id)) }
            for post in posts.dropLast().reversed() { try await graph.communities.setPinned(true, post, in: id) }
            #expect(try await graph.communities.pins(of: id) == posts.dropLast().reversed())
            let last = try #require(posts.last)
            await #expect(throws: GraphError.limitReached("10 pinned posts")) {
                try await graph.communities.setPinned(true, last, in: id)
            }
            // A post that is pinned again keeps its place.
            try await graph.communities.setPinned(true, posts[9], in: id)
            #expect(try await graph.communities.pins(of: id).first == posts[9])
            try await graph.posts.deletePost(posts[3], by: ann)
            try await graph.communities.setPinned(true, last, in: id)
            try await graph.communities.setPinned(false, posts[0], in: id)
            try await graph.communities.setPinned(false, posts[0], in: id)
            #expect(try await graph.communities.pins(of: id) == [9, 8, 7, 6, 5, 4, 2, 1, 10].map { posts[$0] })
        }
    }

    @Test
    func `what is removed is seen by its authors and the moderators, what is taken down by nobody`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let users = try await fixture.users(4)
            let (owner, author, member, mod) = (users[0], users[1], users[2], users[3])
            let id = try await community(fixture, by: owner)
            for user in users.dropFirst() { try await graph.communities.joinCommunity(id, by: user) }
            try await graph.communities.setRole(.moderator, of: mod, in: id)
            let post = try await post(fixture, author, in: id)
            func readers() async throws -> [UserID] {
                var found: [UserID] = []
                for user in users where try await graph.feeds.homeByDefinition(of: user) == [FeedEntry(post)] {
                    found.append(user)
                }
                return found
            }
            #expect(try await readers() == users)
            try await graph.communities.setRemoved(true, post: post)
            #expect(try await readers() == [owner, author, mod])
            try await graph.communities.setTakenDown(true, post: post)
            #expect(try await readers() == [])
            #expect(try await graph.posts.posts([post]).isEmpty)
            try await graph.communities.setTakenDown(false, post: post)
            try await graph.communities.setRemoved(false, post: post)
            #expect(try await readers() == users)
            try await graph.communities.setBanned(true, member, from: id)
            #expect(try await readers() == [owner, author, mod])
            let elsewhere = try await fixture.post(author)
            await #expect(throws: GraphError.postNotFound) {
                try await graph.communities.setRemoved(true, post: elsewhere)
            }
            await #expect(throws: GraphError.postNotFound) {
                try await graph.communities.setTakenDown(true, post: PostID(rawValue: 3))
            }
        }
    }

    @Test
    func `joined communities and followed topics are bounded, and what is there can be changed`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let users = try await fixture.users(2)
            let limit = SocialGraphLimits.joinedCommunities
            _ = try await fixture.database.write { transaction in
                for number in 1...limit {
                    try transaction.execute(
                        """
                        INSERT INTO community (id, name, name_key, description, created_at)
                        VALUES (?1, ?2, ?2, '', 0)
                        """, [.integer(number), .text("name\(number)")])
                    try CommunityStore.Writer(transaction).insertMember(
                        users[0], of: CommunityID(rawValue: number), role: .member)
                }
            }
            await #expect(throws: GraphError.limitReached("500 joined communities")) {
                try await community(fixture, by: users[0])
            }
            let other = try await community(fixture, by: users[1])
            await #expect(throws: GraphError.limitReached("500 joined communities")) {
                try await graph.communities.joinCommunity(other, by: users[0])
            }
            #expect(try await graph.communities.community(other).membersCount == 1)
            #expect(try await graph.communities.joinCommunity(CommunityID(rawValue: 1), by: users[0]) == .wasMember)
            for number in 1...SocialGraphLimits.followedTopics {
                try await graph.topics.followTopic("topic\(number)", by: users[0])
            }
            await #expect(throws: GraphError.limitReached("200 followed topics")) {
                try await graph.topics.followTopic("one more", by: users[0])
            }
            try await graph.topics.followTopic("TOPIC7", by: users[0], isInHome: false)
            let topics = try await graph.topics.followedTopics(of: users[0])
            #expect(topics.count == 200)
            #expect(topics.filter { !$0.isInHome }.map(\.name) == ["topic7"])
            #expect(try await graph.topics.unfollowTopic("Topic1", by: users[0]))
            #expect(try await !graph.topics.unfollowTopic("topic1", by: users[0]))
            try await graph.topics.followTopic("one more", by: users[0])
        }
    }

    @Test
    func `a topic followed before there are posts is a category and a tag`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let users = try await fixture.users(2)
            try await graph.topics.followTopic("Élan", by: users[0])
            var byCategory = NewPost.sample(users[1])
            byCategory.category = "E\u{301}LAN"
            var byTag = NewPost.sample(users[1])
            byTag.algorithmTags = ["élan", "Élan"]
            let ids = try await graph.bulkPosts.publish(batch: [byCategory, byTag])
            #expect(try await graph.feeds.homeByDefinition(of: users[0]) == ids.reversed().map(FeedEntry.init))
            for (kind, post) in [(TopicKind.category, ids[0]), (.tag, ids[1])] {
                let topic = try #require(try await graph.topics.topics(kind, named: ["ÉLAN"])[0])
                #expect(
                    try await graph.feeds.slice(of: .topic(topic), below: .end, limit: 9).entries == [FeedEntry(post)])
            }
            try await graph.topics.setPreferences(of: users[0], topics: false, communities: nil)
            #expect(try await graph.feeds.homeByDefinition(of: users[0]) == [])
            let switches = try await graph.topics.homeSwitches(of: users[0])
            #expect(switches == (false, true))
            // Windows have no entries from topics.
            #expect(try await graph.feeds.windowEntries(of: users[0], limit: 9) == [])
        }
    }
}
