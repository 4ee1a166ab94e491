import Database
import NIOHTTP1
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

/// The check of the drills, on databases that have lost, doubled or misordered a post.
@Suite(.timeLimit(.process))
struct PublishingHistoryTests {
    /// Publishes five posts, changes the database behind them, and expects that the check finds `fault` and no other.
    private static func expect(
        _ fault: String?, after change: String...,
        also act: (GraphdServer, Person, PublishingHistory) async throws -> Void = { _, _, _ in }
    ) async throws {
        let server = try await PostgreSQLServer.shared()
        let database = try await server.newDatabase()
        try await GraphdServer.prepared(in: .process, on: .init(database: server.url(of: database))) { graphd in
            let (author, history) = (try await graphd.person(), PublishingHistory())
            for number in 1...5 {
                try history.acknowledge("\(number)", as: try await publish("\(number)", author, graphd))
            }
            try await act(graphd, author, history)
            for sql in change { try await server.execute(sql, in: database) }
            guard let fault else { return try await history.check(graphd) }
            try await withKnownIssue {
                try await history.check(graphd)
            } matching: { issue in
                issue.comments.contains { $0.rawValue.contains(fault) }
            }
        }
    }

    private static func publish(_ caption: String, _ author: Person, _ graphd: GraphdServer) async throws -> String {
        let post = try await graphd.graph.posts.publish(
            NewPost(author: author.id, caption: caption, mediaURL: "https://media.example/1"))
        return String(post.id.rawValue)
    }

    @Test func `a database that has everything passes`() async throws { try await Self.expect(nil) }

    @Test func `a post that is gone is noticed`() async throws {
        try await Self.expect(
            "lost: [\"3\"]",
            after: """
                DO $$ BEGIN
                    SET LOCAL session_replication_role = replica;
                    DELETE FROM post WHERE caption = '3';
                END $$
                """)
    }

    @Test func `a post under another id is noticed`() async throws {
        try await Self.expect("lost: [\"6\"]") { graphd, author, history in
            let id = try await Self.publish("6", author, graphd)
            try history.acknowledge("6", as: id + "1")
        }
    }

    @Test func `a post that was never stored is noticed`() async throws {
        try await Self.expect("lost: [\"6\"]") { _, _, history in try history.acknowledge("6", as: "1") }
    }

    @Test func `an unacknowledged post that is there twice is noticed`() async throws {
        try await Self.expect("published twice: [\"6\"]") { graphd, author, _ in
            for _ in 0..<2 { _ = try await Self.publish("6", author, graphd) }
        }
    }

    @Test func `posts in another order of the log are noticed`() async throws {
        try await Self.expect(
            "ids do not ascend",
            after: """
                WITH ends AS (SELECT min(seq) AS low, max(seq) AS high FROM change WHERE kind = 1)
                UPDATE change SET subject =
                    (SELECT subject FROM change AS other, ends WHERE other.seq = low + high - change.seq)
                FROM ends WHERE change.seq IN (low, high)
                """)
    }

    @Test func `an answer that does not tell the client to come again is noticed`() async throws {
        try await Self.expect("500") { _, _, history in
            history.refuse(Answer(status: 500, headers: [:], body: []))
        }
    }
}
