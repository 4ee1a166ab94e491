import Database
import TestSupport
import Testing

@testable import Moderation
@testable import SocialGraph

/// Delivery receipts of posts, as their authors see them.
@Suite(.timeLimit(.unit))
struct DeliveryTests {
    /// Runs `body` with a post by `users[0]` and `users[1]`, who have three followers each; `users[1]` follows
    /// `users[0]`.
    private func withPost(_ body: (GraphFixture, [UserID], PostID) async throws -> Void) async throws {
        try await withGraph { fixture in
            let users = try await fixture.users(7)
            for follower in [1, 2, 3] { try await fixture.graph.follows.follow(users[follower], users[0]) }
            for follower in [4, 5, 6] { try await fixture.graph.follows.follow(users[follower], users[1]) }
            try await fixture.acknowledgeAll()
            let post = try await fixture.post(users[0], with: [users[1]])
            try await body(fixture, users, post)
        }
    }

    private func job(_ fixture: GraphFixture) async throws -> OutboxJob {
        try #require(try await fixture.graph.outbox.outboxJobs(above: nil, limit: 1).first)
    }

    private func progress(_ fixture: GraphFixture, _ cursor: AudienceCursor) async throws {
        let lease = try await fixture.graph.outbox.takeLease(from: .isDead).epoch
        let job = try await job(fixture)
        try await fixture.graph.outbox.acknowledgeJobs(by: .outbox(lease), finished: [], progressed: [(job.id, cursor)])
    }

    @Test
    func `before the fan-out nothing is delivered, after it everything`() async throws {
        try await withPost { fixture, users, post in
            let queued = fixture.clock.now
            fixture.clock.advance(by: 70)
            for reader in users.prefix(2) {
                let receipt = try await fixture.graph.deliveries.deliveryReceipt(of: post, for: reader)
                #expect(
                    receipt
                        == DeliveryReceipt(
                            audience: 8, delivered: 0, pulled: 0, isPending: true, queuedAt: queued,
                            finishedAt: nil))
            }
            try await fixture.acknowledgeAll()
            let finished = fixture.clock.now
            fixture.clock.advance(by: 70)
            let receipt = try await fixture.graph.deliveries.deliveryReceipt(of: post, for: users[0])
            #expect(
                receipt
                    == DeliveryReceipt(
                        audience: 8, delivered: 8, pulled: 0, isPending: false, queuedAt: queued,
                        finishedAt: finished))
            // The receipt keeps the numbers from the time of the delivery.
            try await fixture.graph.follows.unfollow(users[3], users[0])
            #expect(try await fixture.graph.deliveries.deliveryReceipt(of: post, for: users[0]) == receipt)
        }
    }

    @Test
    func `what the chunks have covered counts as delivered, step by step`() async throws {
        try await withPost { fixture, users, post in
            var cursor: AudienceCursor? = .start
            var delivered: [Int64] = []
            while let place = cursor {
                let chunk = try await fixture.graph.audiences.audience(of: job(fixture).work, past: place, limit: 2)
                cursor = chunk.next
                guard let next = chunk.next else { break }
                try await progress(fixture, next)
                let receipt = try await fixture.graph.deliveries.deliveryReceipt(of: post, for: users[0])
                #expect(receipt.audience == 8)
                #expect(receipt.finishedAt == nil)
                delivered.append(receipt.delivered)
            }
            #expect(delivered == delivered.sorted())
            #expect(delivered.first == 2)
            #expect(Set(delivered).count > 3)
            #expect(delivered.allSatisfy { $0 <= 8 })
        }
    }

    @Test(arguments: [true, false])
    func `followers of a hub are counted as pulled`(isDelivered: Bool) async throws {
        try await withPost { fixture, users, post in
            try await fixture.graph.follows.follow(users[6], users[0])
            try await fixture.graph.hubs.setHubThreshold(3)
            #expect(try await fixture.graph.hubs.hubPhase(of: users[0]) == .pulled)
            if isDelivered { try await fixture.acknowledgeAll() }
            let receipt = try await fixture.graph.deliveries.deliveryReceipt(of: post, for: users[0])
            #expect([receipt.audience, receipt.pulled] == [9, 4])
            #expect(receipt.delivered == (isDelivered ? 9 : 4))
        }
    }

    @Test
    func `authors and moderators alone are told, of live posts alone`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let users = try await fixture.users(4)
            let (owner, author, member, mod) = (users[0], users[1], users[2], users[3])
            let community = try await graph.communities.createCommunity(name: "c", description: "", by: owner).id
            for user in users.dropFirst() { try await graph.communities.joinCommunity(community, by: user) }
            try await graph.communities.setRole(.moderator, of: mod, in: community)
            var draft = NewPost.sample(author, with: [member])
            draft.community = community
            let post = try await graph.posts.publish(draft).id
            for reader in [owner, author, mod] {
                #expect(try await graph.deliveries.deliveryReceipt(of: post, for: reader).audience == 1)
            }
            // The member is only invited.
            await #expect(throws: GraphError.notAuthor) {
                try await graph.deliveries.deliveryReceipt(of: post, for: member)
            }
            try await graph.collaborations.acceptCollaboration(on: post, by: member)
            #expect(try await graph.deliveries.deliveryReceipt(of: post, for: member).audience == 2)
            let elsewhere = try await fixture.post(author)
            await #expect(throws: GraphError.notAuthor) {
                try await graph.deliveries.deliveryReceipt(of: elsewhere, for: owner)
            }
            try await graph.posts.deletePost(post, by: author)
            await #expect(throws: GraphError.postNotFound) {
                try await graph.deliveries.deliveryReceipt(of: post, for: author)
            }
        }
    }

    @Test
    func `of a post that was deleted before its fan-out there is no receipt`() async throws {
        try await withPost { fixture, users, post in
            try await fixture.graph.posts.deletePost(post, by: users[0])
            try await fixture.acknowledgeAll()
            #expect(try await fixture.integer("SELECT COUNT(*) FROM delivery") == 0)
            let other = try await fixture.post(users[0])
            try await fixture.acknowledgeAll()
            #expect(try await fixture.integers("SELECT post_id FROM delivery") == [other.rawValue])
        }
    }
}
