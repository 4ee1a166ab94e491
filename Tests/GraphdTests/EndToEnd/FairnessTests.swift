import Database
import Glibc
import Importing
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON

/// Fairness: a large audience or an import ahead in the outbox does not delay a small author's post.
@Suite(.serialized, .timeLimit(.process))
struct FairnessTests {
    /// Runs with many more posts than one push carries to a window and than are in progress at a time. In the first
    /// case each post has a large audience as well.
    @Test(arguments: [(256, 40_000), (1_920, 4_000)])
    func `a small author's post arrives while a large backlog is under way`(_ backlog: Int, _ followers: Int)
        async throws
    {
        // A threshold of 0 pushes all posts, so that each of the large author's deliveries is work.
        try await GraphdServer.prepared(["--hub-threshold", "0"], in: .process) { server in
            var importer = FollowImporter(graph: server.graph)
            for start in stride(from: 0, to: followers, by: 4_000) {
                try await importer.write((start..<start + 4_000).map { ("f\($0)", "large") })
            }
            let large = try await server.person(
                try #require(try await server.graph.accounts.account(username: "large")))
            try await server.start()
            let (small, reader) = (try await server.person(), try await server.person())
            try await server.client(reader).act("PUT", "\(small.path)/follow")
            _ = try await server.client(reader).page("/v1/timelines/home")
            try await server.waitForJobs()
            // While Redis is stopped, all posts gather in the outbox, the large author's first.
            let redis = try await server.redisProcessID()
            _ = Glibc.kill(redis, SIGSTOP)
            let posts = try await server.graph.bulkPosts.publish(
                batch: (0..<backlog).map {
                    NewPost(author: large.id, caption: "\($0)", mediaURL: "https://example.org/v")
                })
            let post = try await server.client(small).publish()
            _ = Glibc.kill(redis, SIGCONT)
            try await server.waitForJobs()
            // With strictly sequential jobs, nearly all of them would finish before the small author's.
            let early = posts[backlog / 4]
            let receipt = try await server.client(large).get("/v1/posts/\(early.rawValue)/delivery").json
            let own = try await server.client(small).get("/v1/posts/\(post)/delivery").json
            let (finished, ownFinished) = (receipt["finishedAt"]?.text, own["finishedAt"]?.text)
            #expect(
                try #require(ownFinished) < #require(finished),
                "the backlog was too small, or the small author waited for it")
            #expect(receipt["audience"] == .integer(Int64(followers) + 1))
            #expect(try await server.client(reader).page("/v1/timelines/home") == [post])
            // The delayed posts are not lost.
            let last = try #require(posts.last)
            let done = try await server.client(large).get("/v1/posts/\(last.rawValue)/delivery").json
            #expect(done["pending"] == .bool(false) && done["delivered"] == done["audience"])
        }
    }
}
