@testable import SocialGraph
import Database
import Importing
import TestSupport
import Testing

/// Blocks and mutes.
@Suite(.timeLimit(.unit))
struct BlockAndMuteTests {
    @Test
    func `a block ends follows both ways and is told once`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let users = try await fixture.users(2)
            try await graph.follows.follow(users[0], users[1])
            try await graph.follows.follow(users[1], users[0])
            try await fixture.acknowledgeAll()
            let log = CommitLog(of: fixture.database)
            #expect(try await graph.blocksAndMutes.block(users[0], users[1]))
            #expect(try await !graph.blocksAndMutes.block(users[0], users[1]))
            for user in users {
                let account = try #require(try await graph.accounts.account(user))
                #expect([account.followersCount, account.followingCount] == [0, 0])
            }
            #expect(Set(log.graphChanges.map(\.kind)) == [.unfollowed, .blockOrMuteChanged])
            #expect(log.changes.count { $0.kind == .blockOrMuteChanged } == 1)
            let refreshes: [OutboxJob.Work] = users.map { .rebuild(viewer: $0) }
            #expect(try await fixture.work() == refreshes)
        }
    }

    @Test
    func `neither may follow the other until all blocks are lifted`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let users = try await fixture.users(2)
            try await graph.blocksAndMutes.block(users[0], users[1])
            try await graph.blocksAndMutes.block(users[1], users[0])
            // The blocker does not exist for the blocked user.
            for error in [GraphError.accountNotFound, .notAllowed] {
                await #expect(throws: GraphError.accountNotFound) { try await graph.follows.follow(users[0], users[1]) }
                await #expect(throws: error) { try await graph.follows.follow(users[1], users[0]) }
                _ = try await graph.blocksAndMutes.unblock(users[0], users[1])
            }
            #expect(try await !graph.blocksAndMutes.unblock(users[0], users[1]))
            #expect(try await graph.blocksAndMutes.unblock(users[1], users[0]))
            #expect(try await graph.follows.follow(users[0], users[1]) == .following(isNew: true))
        }
    }

    @Test
    func `an import writes no follow between people one of whom has blocked the other`() async throws {
        try await withGraph { fixture in
            let users = try await fixture.users(3)
            try await fixture.graph.blocksAndMutes.block(users[0], users[1])
            var importer = FollowImporter(graph: fixture.graph)
            try await importer.write([("user0", "user1"), ("user1", "user0"), ("user0", "user2"), ("user2", "user1")])
            #expect(try await fixture.graph.follows.followees(of: users[0]) == [users[2]])
            #expect(try await fixture.graph.follows.followees(of: users[1]) == [])
            #expect(try await fixture.graph.follows.followees(of: users[2]) == [users[1]])
            #expect(importer.total.follows == 2)
            #expect(try await fixture.graph.accounts.account(users[1])?.followersCount == 1)
        }
    }

    @Test
    func `a block ends collaborations on each other's posts, and the blocker leaves others'`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let users = try await fixture.users(3)
            for (follower, followee) in [(0, 1), (1, 0), (0, 2), (1, 2)] {
                try await graph.follows.follow(users[follower], users[followee])
            }
            let blockers = try await fixture.post(users[0], with: [users[1]])
            let blockeds = try await fixture.post(users[1], with: [users[0]])
            let others = try await fixture.post(users[2], with: [users[0], users[1]])
            try await fixture.acknowledgeAll()
            try await graph.blocksAndMutes.block(users[0], users[1])
            let authors = try await graph.posts.posts([blockers, blockeds, others]).map(\.authors)
            #expect(authors == [[users[0]], [users[1]], [users[2], users[1]]])
            let removals = try await fixture.work().filter { if case .removeReason = $0 { true } else { false } }
            #expect(
                Set(removals.map { "\($0)" })
                    == Set(
                        [(blockers, 1), (blockeds, 0), (others, 0)].map {
                            "\(OutboxJob.Work.removeReason(entry: FeedEntry($0.0), actor: users[$0.1]))"
                        }))
            #expect(try await graph.accounts.account(users[0])?.postsCount == 1)
            try await graph.blocksAndMutes.unblock(users[0], users[1])
            #expect(try await graph.posts.posts([blockers, blockeds, others]).map(\.authors) == authors)
        }
    }

    @Test
    func `a block withdraws invitations, and none can be sent`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let users = try await fixture.users(2)
            let post = try await fixture.post(users[0], with: [users[1]])
            #expect(try await graph.posts.posts([post]).first?.collaborators.map(\.status) == [.pending])
            try await graph.blocksAndMutes.block(users[1], users[0])
            #expect(try await graph.posts.posts([post]).first?.collaborators == [])
            await #expect(throws: GraphError.notInvited) {
                try await graph.collaborations.acceptCollaboration(on: post, by: users[1])
            }
            // The blocker does not exist for the blocked user.
            for error in [GraphError.unknownCollaborator(String(users[1].rawValue)), .notAllowed] {
                await #expect(throws: error) {
                    try await graph.collaborations.inviteCollaborator(users[1], to: post, by: users[0])
                }
                await #expect(throws: error) { try await fixture.post(users[0], with: [users[1]]) }
                try await graph.blocksAndMutes.unblock(users[1], users[0])
                try await graph.blocksAndMutes.block(users[0], users[1])
            }
        }
    }

    @Test
    func `a mute replaces the one before and keeps its place in the list`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let users = try await fixture.users(3)
            #expect(try await graph.blocksAndMutes.mute(users[0], users[1], .everything))
            #expect(try await graph.blocksAndMutes.mute(users[0], users[2], [.posts]))
            #expect(try await graph.blocksAndMutes.mute(users[0], users[1], [.notifications]))
            #expect(try await !graph.blocksAndMutes.mute(users[0], users[1], [.notifications]))
            let mutes = try await graph.blocksAndMutes.mutes(of: users[0], below: nil, limit: 9).items
            #expect(mutes.map(\.user) == [users[2], users[1]])
            #expect(mutes.map(\.kinds) == [[.posts], [.notifications]])
            #expect(mutes.map(\.username) == ["user2", "user1"])
            #expect(try await graph.blocksAndMutes.mute(users[0], users[2], []))
            #expect(try await !graph.blocksAndMutes.mute(users[0], users[2], []))
            #expect(
                try await graph.blocksAndMutes.mutes(of: users[0], below: nil, limit: 9).items.map(\.user) == [users[1]]
            )
        }
    }

    @Test(
        arguments: [
            ([], .reshares, true), (.reshares, [], true), (.posts, .everything, true), (.everything, .posts, true),
            ([], .posts, false), (.posts, [], false), ([], .notifications, false), (.reshares, .everything, false),
        ] as [(MuteKinds, MuteKinds, Bool)])
    func `only a change of whether reshares count rewrites a window`(
        before: MuteKinds, after: MuteKinds, refreshes: Bool
    ) async throws {
        try await withGraph { fixture in
            let users = try await fixture.users(2)
            try await fixture.graph.blocksAndMutes.mute(users[0], users[1], before)
            try await fixture.acknowledgeAll()
            #expect(try await fixture.graph.blocksAndMutes.mute(users[0], users[1], after))
            #expect(try await fixture.work() == (refreshes ? [.rebuild(viewer: users[0])] : []))
        }
    }

    @Test
    func `nobody relates to nobody or to oneself`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let ann = try await fixture.user("ann")
            let unknown = UserID(rawValue: 4)
            await #expect(throws: GraphError.selfBlock) { try await graph.blocksAndMutes.block(ann, ann) }
            await #expect(throws: GraphError.selfBlock) { try await graph.blocksAndMutes.unblock(ann, ann) }
            await #expect(throws: GraphError.selfMute) { try await graph.blocksAndMutes.mute(ann, ann, .posts) }
            for (one, other) in [(ann, unknown), (unknown, ann)] {
                await #expect(throws: GraphError.accountNotFound) { try await graph.blocksAndMutes.block(one, other) }
                await #expect(throws: GraphError.accountNotFound) { try await graph.blocksAndMutes.unblock(one, other) }
                await #expect(throws: GraphError.accountNotFound) {
                    try await graph.blocksAndMutes.mute(one, other, .posts)
                }
            }
            #expect(try await graph.changes.latestChange() == 0)
        }
    }

    @Test
    func `blocks and mutes are bounded, and what is there can be changed at the bound`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let limit = SocialGraphLimits.blocksOrMutesPerUser
            let users = try await fixture.users(Int(limit) + 2)
            _ = try await fixture.database.write { transaction in
                try transaction.execute(
                    """
                    INSERT INTO block (blocker_id, blocked_id, position)
                    SELECT ?1, id, id FROM account WHERE id > ?1 AND id <= ?2
                    """, [.user(users[0]), .user(users[Int(limit)])])
                try transaction.execute(
                    """
                    INSERT INTO mute (muter_id, muted_id, position, posts, reshares, notifications)
                    SELECT ?1, id, id, 1, 0, 0 FROM account WHERE id > ?1 AND id <= ?2
                    """, [.user(users[0]), .user(users[Int(limit)])])
            }
            let last = try #require(users.last)
            await #expect(throws: GraphError.limitReached("10000 blocks")) {
                try await graph.blocksAndMutes.block(users[0], last)
            }
            await #expect(throws: GraphError.limitReached("10000 mutes")) {
                try await graph.blocksAndMutes.mute(users[0], last, .posts)
            }
            #expect(try await !graph.blocksAndMutes.block(users[0], users[1]))
            #expect(try await graph.blocksAndMutes.mute(users[0], users[1], .everything))
            #expect(try await graph.blocksAndMutes.unblock(users[0], users[1]))
            #expect(try await graph.blocksAndMutes.block(users[0], last))
        }
    }
}
