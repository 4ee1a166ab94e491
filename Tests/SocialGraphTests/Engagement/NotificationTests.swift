import Database
import TestSupport
import Testing

@testable import SocialGraph

@Suite(.timeLimit(.unit))
struct NotificationTests {
    @Test
    func `likes of one post are one group until it is read; what comes then opens another`() async throws {
        try await withGraph { fixture in
            let (graph, users) = (fixture.graph, try await fixture.users(6))
            let post = try await fixture.post(users[0])
            for user in users[0...4] { try await graph.likes.like(post, by: user) }
            var groups = try await graph.notifications.notificationGroups(of: users[0], below: nil, limit: 5)
            #expect(groups.count == 1 && groups[0].kind == .like && groups[0].post == post && !groups[0].isRead)
            #expect(groups[0].actorsCount == 4 && groups[0].actors.map(\.id) == [users[4], users[3], users[2]])
            #expect(groups[0].latest.actor == users[4] && groups[0].latest.isOfOwnPost)
            try await graph.notifications.markGroupRead(groups[0].id, of: users[0])
            try await graph.likes.like(post, by: users[5])
            groups = try await graph.notifications.notificationGroups(of: users[0], below: nil, limit: 5)
            #expect(groups.map(\.actorsCount) == [1, 4] && groups.map(\.isRead) == [false, true])
            let unread = try await graph.notifications.notificationGroups(
                of: users[0], below: nil, limit: 5, onlyUnread: true)
            #expect(unread == [groups[0]])
            try await graph.likes.unlike(post, by: users[3])
            #expect(
                try await graph.notifications.notificationGroups(of: users[0], below: nil, limit: 5)[1].actorsCount == 3
            )
            await #expect(throws: GraphError.notificationNotFound) {
                try await graph.notifications.markGroupRead(groups[0].id, of: users[1])
            }
        }
    }

    @Test
    func `who comments twice counts once, and counts until the last comment goes`() async throws {
        try await withGraph { fixture in
            let (graph, users) = (fixture.graph, try await fixture.users(3))
            let post = try await fixture.post(users[0])
            let first = try await graph.comments.comment(on: post, by: users[1], content: "c")
            let second = try await graph.comments.comment(on: post, by: users[1], content: "c")
            try await graph.comments.comment(on: post, by: users[2], content: "c", parent: second.id)
            func count() async throws -> [Int64] {
                try await graph.notifications.notificationGroups(of: users[0], below: nil, limit: 5).map(\.actorsCount)
            }
            #expect(try await count() == [2])
            try await graph.comments.deleteComment(first.id, by: users[1])
            #expect(try await count() == [2])
            try await graph.comments.deleteComment(second.id, by: users[1])
            #expect(try await count() == [1])
            let replies = try await graph.notifications.notifications(of: users[1], below: nil, limit: 5)
            #expect(replies.map(\.kind) == [.comment] && replies[0].isReply && !replies[0].isOfOwnPost)
        }
    }

    @Test
    func `the last act of a group that is read closes it`() async throws {
        try await withGraph { fixture in
            let (graph, users) = (fixture.graph, try await fixture.users(3))
            let post = try await fixture.post(users[0])
            for user in users[1...2] { try await graph.likes.like(post, by: user) }
            let told = try await graph.notifications.notifications(of: users[0], below: nil, limit: 5)
            try await graph.notifications.markNotificationRead(told[0].id, of: users[0])
            #expect(
                try await graph.notifications.notifications(of: users[0], below: nil, limit: 5).map(\.isRead) == [
                    true, false,
                ])
            #expect(
                try await graph.notifications.notificationGroups(of: users[0], below: nil, limit: 5).map(\.isRead) == [
                    false
                ])
            try await graph.notifications.markNotificationRead(told[1].id, of: users[0])
            #expect(
                try await graph.notifications.notificationGroups(of: users[0], below: nil, limit: 5).map(\.isRead) == [
                    true
                ])
            await #expect(throws: GraphError.notificationNotFound) {
                try await graph.notifications.markNotificationRead(told[1].id, of: users[1])
            }
        }
    }

    @Test
    func `a mention tells whoever may see the post, once, and nobody who may not`() async throws {
        try await withGraph { fixture in
            let (graph, users) = (fixture.graph, try await fixture.users(4))
            try await graph.follows.follow(users[1], users[0])
            try await graph.blocksAndMutes.block(users[3], users[0])
            var post = NewPost.sample(users[0], "hello @user0 @user1 @USER2 @user3 @nobody")
            post.visibility = .followers
            let id = try await graph.posts.publish(post).id
            func told(_ user: UserID) async throws -> [NotificationKind] {
                try await graph.notifications.notifications(of: user, below: nil, limit: 5).map(\.kind)
            }
            #expect(try await told(users[0]) == [.follow])
            #expect(try await told(users[1]) == [.mention])
            #expect(try await told(users[2]) + told(users[3]) == [])
            let comment = try await graph.comments.comment(on: id, by: users[1], content: "see @user0")
            _ = try await graph.comments.editComment(comment.id, by: users[1], content: "see @user0 @user2")
            #expect(try await told(users[0]) == [.mention, .comment, .follow])
            try await graph.follows.follow(users[2], users[0])
            _ = try await graph.comments.editComment(comment.id, by: users[1], content: "see @user0 @user2!")
            #expect(try await told(users[2]) == [.mention])
            #expect(try await told(users[0]) == [.follow, .mention, .comment, .follow])
        }
    }

    @Test
    func `a block or a mute takes back what was told, and keeps more from being told`() async throws {
        try await withGraph { fixture in
            let (graph, users) = (fixture.graph, try await fixture.users(4))
            let post = try await fixture.post(users[0])
            for user in users[1...3] { try await graph.likes.like(post, by: user) }
            try await graph.blocksAndMutes.block(users[0], users[1])
            try await graph.blocksAndMutes.mute(users[0], users[2], .posts)
            func actors() async throws -> [UserID] {
                try await graph.notifications.notifications(of: users[0], below: nil, limit: 9).map(\.actor)
            }
            #expect(try await actors() == [users[3], users[2]])
            try await graph.blocksAndMutes.mute(users[0], users[2], .notifications)
            #expect(try await actors() == [users[3]])
            try await graph.comments.comment(on: post, by: users[2], content: "c")
            try await graph.blocksAndMutes.unblock(users[0], users[1])
            try await graph.blocksAndMutes.mute(users[0], users[2], [])
            #expect(try await actors() == [users[3]], "what was kept back stays back")
            #expect(
                try await graph.notifications.notificationGroups(of: users[0], below: nil, limit: 5).map(\.actorsCount)
                    == [1])
        }
    }

    @Test
    func `collaborators are asked, and the author is told of their consent`() async throws {
        try await withGraph { fixture in
            let (graph, users) = (fixture.graph, try await fixture.users(3))
            let post = try await fixture.post(users[0], "c", with: [users[1]])
            let asked = try await graph.notifications.notifications(of: users[1], below: nil, limit: 5)
            #expect(asked.map(\.kind) == [.collaboration] && !asked[0].isOfOwnPost)
            try await graph.collaborations.acceptCollaboration(on: post, by: users[1])
            let told = try await graph.notifications.notifications(of: users[0], below: nil, limit: 5)
            #expect(told.map(\.kind) == [.collaboration] && told[0].isOfOwnPost && told[0].actor == users[1])
            try await graph.collaborations.inviteCollaborator(users[2], to: post, by: users[0])
            try await graph.collaborations.removeCollaborator(users[2], from: post, by: users[0])
            #expect(try await graph.notifications.notifications(of: users[2], below: nil, limit: 5).isEmpty)
            try await graph.likes.like(post, by: users[2])
            #expect(
                try await graph.notifications.notifications(of: users[1], below: nil, limit: 5).map(\.kind).first
                    == .like)
        }
    }

    @Test
    func `what is taken back is withdrawn from collaborators who have left as well`() async throws {
        try await withGraph { fixture in
            let (graph, users) = (fixture.graph, try await fixture.users(4))
            let post = try await fixture.post(users[0], "c", with: [users[1]])
            try await graph.collaborations.acceptCollaboration(on: post, by: users[1])
            for user in users[2...3] { try await graph.likes.like(post, by: user) }
            try await graph.reshares.reshare(post, by: users[2])
            let share = try await graph.engagement.shareExternally(post, by: users[2], platform: "elsewhere").id
            try await graph.collaborations.leaveCollaboration(on: post, by: users[1])
            func told(_ user: UserID) async throws -> [NotificationKind] {
                try await graph.notifications.notifications(of: user, below: nil, limit: 9).map(\.kind)
            }
            #expect(try await told(users[1]) == [.share, .share, .like, .like])
            try await graph.likes.unlike(post, by: users[2])
            try await graph.reshares.unreshare(post, by: users[2])
            #expect(try await told(users[1]) == [.share, .like])
            let groups = try await graph.notifications.notificationGroups(of: users[1], below: nil, limit: 9)
            #expect(groups.map(\.actorsCount) == [1, 1])
            try await graph.likes.unlike(post, by: users[3])
            #expect(try await told(users[0]) == [.share, .collaboration])
            let left = try await graph.notifications.notifications(of: users[1], below: nil, limit: 9)
            #expect(left.map(\.kind) == [.share] && left[0].id > share)
        }
    }

    @Test(arguments: [nil, Milliseconds.day, 1_000 * Milliseconds.day])
    func `what is old is forgotten in parts, a group as a whole`(_ age: Int64?) async throws {
        try await withGraph { fixture in
            if let age { try await fixture.graph.settings.store([.notifications: age]) }
            let (graph, users) = (fixture.graph, try await fixture.users(8))
            let post = try await fixture.post(users[0])
            for user in users[1...5] { try await graph.likes.like(post, by: user) }
            fixture.clock.advance(by: age ?? RetainedData.notifications.standard)
            try await graph.follows.follow(users[6], users[0])
            #expect(try await !graph.notifications.pruneNotifications(limit: 2))
            fixture.clock.advance(by: Milliseconds.day)
            var parts = 0
            while try await graph.notifications.pruneNotifications(limit: 2) { parts += 1 }
            #expect(parts == 3)
            #expect(
                try await graph.notifications.notifications(of: users[0], below: nil, limit: 9).map(\.kind) == [.follow]
            )
            #expect(try await fixture.integer("SELECT COUNT(*) FROM notification_group") == 1)
        }
    }
}
