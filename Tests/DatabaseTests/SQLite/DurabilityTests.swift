import Database
import SocialGraph
import TestSupport
import Testing

@Suite(.timeLimit(.unit))
struct DurabilityTests {
    @Test(arguments: [("journal_mode", "wal"), ("synchronous", "2"), ("foreign_keys", "1")])
    func `the writer's connection is set up to keep what it acknowledged`(pragma: String, value: String) async throws {
        try await withSQLiteGraph { fixture in
            // The settings also hold for a second opener.
            for opener in [fixture, try fixture.another()] {
                let actual = try await opener.database.write { transaction in
                    try transaction.first("SELECT CAST(\(pragma) AS TEXT) FROM pragma_\(pragma)", []) { $0.text(0) }
                }
                #expect(actual == value)
            }
        }
    }

    @Test
    func `a snapshot does not change while it is read`() async throws {
        try await withSQLiteGraph { fixture in
            let ann = try await fixture.user("ann")
            let graph = fixture.graph
            let post = try await fixture.post(ann)
            let (inside, signal) = AsyncStream.makeStream(of: Void.self)
            let gate = Gate()
            async let counts = fixture.database.read { reader in
                let before = try reader.rows("SELECT id FROM post", []) { $0.integer(0) }
                signal.finish()
                gate.wait()
                return [before, try reader.rows("SELECT id FROM post", []) { $0.integer(0) }]
            }
            for await _ in inside {}
            try await fixture.post(ann)
            gate.open()
            #expect(try await counts == [[post.rawValue], [post.rawValue]])
            #expect(try await graph.feeds.authorFeed(of: ann, below: nil, limit: 5).count == 2)
        }
    }

    @Test
    func `what was written is there after reopening`() async throws {
        try await withTemporaryDirectory("graph") { directory in
            let path = directory + "/graph.db"
            let first = try SQLiteFixture(path: path)
            let users = try await first.users(2)
            try await first.graph.follows.follow(users[0], users[1])
            let post = try await first.post(users[1])
            try await first.graph.settings.store("generation 4", as: "windows")
            try first.database.close()

            let second = try SQLiteFixture(path: path)
            #expect(try await second.graph.feeds.homeByDefinition(of: users[0]) == [FeedEntry(post)])
            #expect(
                try await second.graph.outbox.outboxJobs(above: nil, limit: 5).map(\.work) == [
                    .rebuild(viewer: users[0]), .push(post: post, author: users[1]),
                ])
            #expect(try await second.graph.settings.setting("windows") == "generation 4")
            #expect(try await second.graph.changes.latestChange() == 3)
            try second.database.close()
        }
    }
}
