import Database
import SocialGraph
import TestSupport
import Testing

@Suite(.timeLimit(.unit))
struct DeletionTests {
    @Test
    func `only the author may delete, once`() async throws {
        try await withGraph { fixture in
            let users = try await fixture.users(3)
            try await fixture.graph.follows.follow(users[1], users[0])
            let post = try await fixture.post(users[0], with: [users[1]])
            // An accepted co-author is an author of the feed, not the owner of the post.
            for other in users.dropFirst() {
                await #expect(throws: GraphError.notAuthor) {
                    try await fixture.graph.posts.deletePost(post, by: other)
                }
            }
            await #expect(throws: GraphError.postNotFound) {
                try await fixture.graph.posts.deletePost(PostID(rawValue: 4), by: users[0])
            }
            #expect(try await fixture.graph.posts.posts([post]).count == 1)
            try await fixture.graph.posts.deletePost(post, by: users[0])
            await #expect(throws: GraphError.postNotFound) {
                try await fixture.graph.posts.deletePost(post, by: users[0])
            }
            await #expect(throws: GraphError.postNotFound) {
                try await fixture.graph.posts.deletePost(post, by: users[2])
            }
        }
    }

    @Test
    func `what the post said is wiped and it is gone from every list`() async throws {
        try await withGraph { fixture in
            let users = try await fixture.users(2)
            try await fixture.graph.follows.follow(users[1], users[0])
            let post = try await fixture.graph.posts.publish(
                NewPost(
                    author: users[0], caption: "secret", mediaURL: "https://secret.example", category: "secret",
                    algorithmTags: ["secret"], collaborators: [users[1]], link: "https://secret.example")
            ).id
            try await fixture.graph.posts.deletePost(post, by: users[0])

            #expect(try await fixture.graph.posts.posts([post]).isEmpty)
            for user in users {
                #expect(try await fixture.graph.feeds.homeByDefinition(of: user).isEmpty)
                #expect(try await fixture.graph.feeds.windowEntries(of: user, limit: 5).isEmpty)
                #expect(
                    try await fixture.graph.feeds.windowByDefinition(of: user, from: .beginning, holding: []).isEmpty)
                #expect(try await fixture.graph.feeds.authorFeed(of: user, below: nil, limit: 5).isEmpty)
                #expect(try await fixture.graph.feeds.windowPositions(of: post, for: [user]) == [nil])
                #expect(try await fixture.graph.accounts.account(user)?.postsCount == 0)
            }
            let remaining = try await fixture.database.read { reader in
                try reader.rows(
                    "SELECT caption || media_url || COALESCE(category, '') || COALESCE(link, '') FROM post", []
                ) { $0.text(0) }
            }
            #expect(remaining == [""])
            #expect(try await fixture.integer("SELECT COUNT(*) FROM post_tag") == 0)
        }
    }

    @Test
    func `a pending push does not stand any more, and a removal to the same audience follows it`() async throws {
        try await withGraph { fixture in
            let users = try await fixture.users(3)
            try await fixture.graph.follows.follow(users[1], users[0])
            try await fixture.graph.follows.follow(users[2], users[1])
            let kept = try await fixture.post(users[0])
            let deleted = try await fixture.post(users[0], with: [users[1]])
            let log = CommitLog(of: fixture.database)
            try await fixture.graph.posts.deletePost(deleted, by: users[0])

            let work = try await fixture.graph.outbox.outboxJobs(above: nil, limit: 10).map(\.work).suffix(3)
            #expect(
                work == [
                    .push(post: kept, author: users[0]), .push(post: deleted, author: users[0]),
                    .remove(post: deleted, author: users[0]),
                ])
            #expect(log.jobs.map(\.work) == [.remove(post: deleted, author: users[0])])
            let push = OutboxJob.Work.push(post: deleted, author: users[0])
            #expect(try await !fixture.graph.audiences.audience(of: push, past: .start, limit: 100).isLive)
            let removal = OutboxJob.Work.remove(post: deleted, author: users[0])
            #expect(try await Set(fixture.graph.wholeAudience(of: removal, by: 100)) == Set(users))
        }
    }
}
