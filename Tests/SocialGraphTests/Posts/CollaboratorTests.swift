@testable import SocialGraph
import Database
import Importing
import TestSupport
import Testing

@Suite(.timeLimit(.unit))
struct CollaboratorTests {
    @Test
    func `an invitation is accepted by following, otherwise by the invited`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let users = try await fixture.users(3)
            try await graph.follows.follow(users[1], users[0])
            let post = try await fixture.post(users[0])
            try await fixture.acknowledgeAll()
            let log = CommitLog(of: fixture.database)
            #expect(try await graph.collaborations.inviteCollaborator(users[1], to: post, by: users[0]) == .accepted)
            #expect(try await graph.collaborations.inviteCollaborator(users[2], to: post, by: users[0]) == .pending)
            #expect(try await graph.collaborations.inviteCollaborator(users[2], to: post, by: users[0]) == .pending)
            #expect(try await graph.posts.posts([post]).first?.authors == [users[0], users[1]])
            #expect(try await graph.feeds.authorFeed(of: users[2], below: nil, limit: 9) == [])
            let share = { (user: UserID) in OutboxJob.Work.addReason(entry: FeedEntry(post), actor: user) }
            #expect(try await fixture.work() == [share(users[1])])
            try await graph.collaborations.acceptCollaboration(on: post, by: users[2])
            try await graph.collaborations.acceptCollaboration(on: post, by: users[2])
            #expect(try await fixture.work() == [share(users[1]), share(users[2])])
            #expect(try await graph.collaborations.inviteCollaborator(users[2], to: post, by: users[0]) == .accepted)
            #expect(try await graph.accounts.account(users[2])?.postsCount == 1)
            #expect(
                log.graphChanges.map(\.kind) == [.collaborationAccepted, .invitationChanged, .collaborationAccepted])
            #expect(log.graphChanges.allSatisfy { $0.row.subject == post.rawValue })
        }
    }

    @Test
    func `a follow alone accepts no invitation`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let users = try await fixture.users(3, accepting: .nobody)
            try await graph.follows.follow(users[1], users[0])
            let post = try await fixture.post(users[0], with: [users[1]])
            #expect(try await graph.collaborations.inviteCollaborator(users[1], to: post, by: users[0]) == .pending)
            #expect(try await graph.posts.posts([post]).first?.authors == [users[0]])
            #expect(try await graph.accounts.account(users[1])?.postsCount == 0)
            #expect(try await graph.accounts.preferences(of: users[1]).autoAcceptance == .nobody)

            var change = ProfileChange()
            change.autoAcceptance = .following
            for user in users { try await graph.accounts.changeProfile(of: user, change) }
            #expect(try await graph.accounts.preferences(of: users[1]).autoAcceptance == .following)
            // Strangers, and users whom the author follows, are invited as before.
            try await graph.follows.follow(users[0], users[2])
            let next = try await fixture.post(users[0], with: [users[1], users[2]])
            let named = try #require(try await graph.posts.posts([next]).first)
            #expect(named.collaborators.map(\.status) == [.accepted, .pending])

            // Everyone sees the accepted collaborators. Those whom the post names also see the invitations.
            for viewer in users {
                #expect(named.collaborators(shownTo: viewer).map(\.user) == [users[1], users[2]])
            }
            let stranger = try await fixture.user("stranger")
            #expect(named.collaborators(shownTo: stranger).map(\.user) == [users[1]])
        }
    }

    @Test
    func `an import names collaborators who have accepted`() async throws {
        try await withGraph { fixture in
            let users = try await fixture.users(2, accepting: .nobody)
            let posts = try await fixture.graph.bulkPosts.publish(batch: [.sample(users[0], with: [users[1]])])
            #expect(try await fixture.graph.posts.posts(posts).first?.authors == users)
        }
    }

    @Test
    func `only what is there can be accepted, declined or left`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let users = try await fixture.users(4)
            try await graph.follows.follow(users[1], users[0])
            let post = try await fixture.post(users[0], with: [users[1], users[2]])
            let (accepted, pending, other) = (users[1], users[2], users[3])
            await #expect(throws: GraphError.notInvited) {
                try await graph.collaborations.acceptCollaboration(on: post, by: other)
            }
            for user in [accepted, other, users[0]] {
                await #expect(throws: GraphError.notInvited) {
                    try await graph.collaborations.declineCollaboration(on: post, by: user)
                }
            }
            for user in [pending, other, users[0]] {
                await #expect(throws: GraphError.notCollaborator) {
                    try await graph.collaborations.leaveCollaboration(on: post, by: user)
                }
            }
            try await graph.collaborations.declineCollaboration(on: post, by: pending)
            await #expect(throws: GraphError.notInvited) {
                try await graph.collaborations.acceptCollaboration(on: post, by: pending)
            }
            try await graph.collaborations.leaveCollaboration(on: post, by: accepted)
            await #expect(throws: GraphError.notCollaborator) {
                try await graph.collaborations.leaveCollaboration(on: post, by: accepted)
            }
            #expect(try await graph.posts.posts([post]).first?.collaborators == [])
        }
    }

    @Test
    func `only the author invites and removes`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let users = try await fixture.users(3)
            try await graph.follows.follow(users[1], users[0])
            let post = try await fixture.post(users[0], with: [users[1]])
            for stranger in users.dropFirst() {
                await #expect(throws: GraphError.notAuthor) {
                    try await graph.collaborations.inviteCollaborator(users[2], to: post, by: stranger)
                }
                await #expect(throws: GraphError.notAuthor) {
                    try await graph.collaborations.removeCollaborator(users[1], from: post, by: stranger)
                }
            }
            await #expect(throws: GraphError.selfCollaboration) {
                try await graph.collaborations.inviteCollaborator(users[0], to: post, by: users[0])
            }
            await #expect(throws: GraphError.unknownCollaborator("4")) {
                try await graph.collaborations.inviteCollaborator(UserID(rawValue: 4), to: post, by: users[0])
            }
            try await graph.collaborations.removeCollaborator(users[1], from: post, by: users[0])
            try await graph.collaborations.removeCollaborator(users[1], from: post, by: users[0])
            #expect(try await graph.accounts.account(users[1])?.postsCount == 0)
            try await graph.posts.deletePost(post, by: users[0])
            await #expect(throws: GraphError.postNotFound) {
                try await graph.collaborations.inviteCollaborator(users[2], to: post, by: users[0])
            }
            await #expect(throws: GraphError.postNotFound) {
                try await graph.collaborations.removeCollaborator(users[2], from: post, by: users[0])
            }
        }
    }

    @Test
    func `the number of collaborators is bounded, and those who left make room`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let users = try await fixture.users(SocialGraphLimits.collaboratorsPerPost + 2)
            let post = try await fixture.post(users[0])
            for user in users.dropFirst().dropLast() {
                try await graph.collaborations.inviteCollaborator(user, to: post, by: users[0])
            }
            let last = try #require(users.last)
            await #expect(throws: GraphError.limitReached("20 collaborators")) {
                try await graph.collaborations.inviteCollaborator(last, to: post, by: users[0])
            }
            #expect(try await graph.collaborations.inviteCollaborator(users[1], to: post, by: users[0]) == .pending)
            try await graph.collaborations.declineCollaboration(on: post, by: users[3])
            #expect(try await graph.collaborations.inviteCollaborator(last, to: post, by: users[0]) == .pending)
        }
    }

    @Test
    func `leaving takes back the leaver's share only`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let users = try await fixture.users(4)
            try await graph.follows.follow(users[1], users[0])
            try await graph.follows.follow(users[2], users[0])
            try await graph.follows.follow(users[3], users[1])
            let post = try await fixture.post(users[0], with: [users[1]])
            #expect(
                try await graph.feeds.windowPositions(of: post, for: users) == users.map { _ in FeedPosition(post) })
            try await fixture.acknowledgeAll()
            try await graph.collaborations.leaveCollaboration(on: post, by: users[1])
            #expect(try await fixture.work() == [.removeReason(entry: FeedEntry(post), actor: users[1])])
            // The former co-author still follows the author.
            let place = FeedPosition(post)
            #expect(try await graph.feeds.windowPositions(of: post, for: users) == [place, place, place, nil])
            try await graph.reshares.reshare(post, by: users[1])
            let reshare = try await graph.feeds.reshares(of: post, limit: 1).first?.position
            #expect(try await graph.feeds.windowPositions(of: post, for: [users[3]]) == [reshare])
        }
    }
}
