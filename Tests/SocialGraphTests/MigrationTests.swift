import Foundation
import TestSupport
import Testing

@testable import SocialGraph

@Suite(.timeLimit(.minutes(20)))
struct MigrationTests {
    @Test
    func `a fresh and a reopened database have the same schema`() async throws {
        try await withGraph { fixture in
            let fresh = try await fixture.schema()
            #expect(fresh.contains { $0.contains("CREATE TABLE follow") })
            let reopened = try fixture.another()
            #expect(try await reopened.schema() == fresh)
            try reopened.database.close()
        }
    }

    @Test
    func `a database of the first schema is opened with everything that it holds`() async throws {
        try await withTemporaryDirectory("graph") { directory in
            let path = directory + "/graph.db"
            try await OldDatabase.write(to: path)
            let fixture = try GraphFixture(path: path)
            let graph = fixture.graph
            let (ann, bob) = (UserID(rawValue: 1), UserID(rawValue: 2))
            let (tagged, plain) = (PostID(rawValue: 11), PostID(rawValue: 13))

            let fresh = try GraphFixture(path: directory + "/fresh.db")
            #expect(try await fixture.schema() == fresh.schema())
            try fresh.database.close()
            let post = try #require(try await graph.posts.posts([tagged]).first)
            #expect(post.authors == [ann, bob])
            #expect([post.caption, post.category, post.link] == ["caption", "Élan", "l"])
            #expect(post.algorithmTags == ["Run", "Yoga"])
            #expect(post.visibility == .everyone)
            #expect(post.community == nil)
            #expect(post.topics.count == 3)
            #expect(try await graph.accounts.account(bob)?.postsCount == 2)
            let home = try await graph.feeds.homeByDefinition(of: bob)
            #expect(home == [FeedEntry(plain), FeedEntry(tagged)])
            #expect(try await graph.feeds.windowEntries(of: bob, limit: 9) == home)

            // The category and the tag of a name are two topics; a deleted post is in none.
            for (kind, name, posts) in [
                (TopicKind.category, "ÉLAN", [tagged]), (.tag, "run", [plain, tagged]), (.tag, "yoga", [tagged]),
                (.category, "run", [plain]),
            ] {
                let topic = try #require(try await graph.topics.topics(kind, named: [name])[0], "\(name)")
                let run = try await graph.feeds.run(of: .topic(topic), below: .end, limit: 9)
                #expect(run.entries == posts.map(FeedEntry.init), "\(name)")
            }
            #expect(try await fixture.integer("SELECT COUNT(*) FROM topic") == 4)
            #expect(try await graph.topics.homeSwitches(of: ann) == (true, true))

            for (words, posts) in [("caption", [tagged]), ("elan yoga", [tagged]), ("bob", [plain, tagged])] {
                let found = try await graph.search.newestPosts(
                    having: SearchWords(words), PostFilter(), below: nil, limit: 9)
                #expect(found.posts == posts, "\(words)")
            }
            #expect(try await graph.search.accounts(matching: SearchWords("an"), for: bob, limit: 9).map(\.id) == [ann])

            let jobs = try await graph.outbox.outboxJobs(above: nil, limit: 99)
            #expect(
                jobs.map(\.work) == [
                    .push(post: tagged, author: ann), .unpush(post: PostID(rawValue: 12), author: ann),
                    .refresh(viewer: bob), .drop(viewers: [ann, bob]), .build(viewers: [bob]),
                ])
            #expect(jobs.map(\.id.rawValue) == [21, 22, 23, 24, 25])
            #expect(jobs.map(\.createdAt) == [5, 6, 7, 8, 9])
            #expect(jobs[0].progress == AudienceCursor(author: 1, position: 3))
            #expect(try await fixture.work().count == fixture.settleAll().count)
            let next = try await fixture.post(bob)
            #expect(next > plain)
            try fixture.database.close()
        }
    }

    @Test
    func `a database of a newer graphd is refused and left alone`() async throws {
        try await withGraph { fixture in
            try await fixture.database.write { transaction in
                _ = try transaction.execute("INSERT INTO grdb_migrations (identifier) VALUES ('999-future')", [])
            }
            let before = try await fixture.schema()
            let error = #expect(throws: GraphError.self) { try fixture.another() }
            #expect(error?.detail?.contains("newer graphd") == true)
            #expect(try await fixture.schema() == before)
        }
    }

    @Test
    func `a file that is no database is refused`() async throws {
        try await withTemporaryDirectory("graph") { directory in
            let path = directory + "/graph.db"
            try String(repeating: "This is a letter, not a database. ", count: 100)
                .write(toFile: path, atomically: true, encoding: .utf8)
            #expect(throws: GraphError.self) { try GraphFixture(path: path) }
        }
    }
}

/// What a graphd of the first schema has left behind.
private enum OldDatabase {
    static func write(to path: String) async throws {
        let fixture = try GraphFixture(path: path)
        let tables = try await fixture.database.read { reader in
            try reader.rows(
                """
                SELECT name FROM sqlite_schema
                WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'grdb_migrations'
                    AND name NOT LIKE '%text!_%' ESCAPE '!'
                """, []
            ) { $0.text(0) }
        }
        try await fixture.database.write { transaction in
            for table in tables { try transaction.execute("DROP TABLE \(table)", []) }
            try transaction.execute("DELETE FROM grdb_migrations WHERE identifier NOT LIKE '001-%'", [])
            for statement in Schema001.sql.split(separator: ";") where statement.contains(where: \.isLetter) {
                try transaction.execute(String(statement), [])
            }
            for statement in rows { try transaction.execute(statement, []) }
            for (id, kind, viewers) in [(24, "drop", [1, 2]), (25, "build", [2])] as [(Int64, String, [Int64])] {
                try transaction.execute(
                    "INSERT INTO outbox (id, kind, viewers, created_at) VALUES (?1, ?2, ?3, ?4)",
                    [
                        .integer(id), .text(kind), .blob(ViewerListCoding.encode(viewers.map(UserID.init(rawValue:)))),
                        .integer(id - 16),
                    ])
            }
        }
        try fixture.database.close()
    }

    /// Bob follows Ann. Post 11 is by both, post 12 is deleted, post 13 is Bob's.
    private static let rows = [
        "UPDATE id_sequence SET last = 99",
        """
        INSERT INTO account (id, username, username_key, created_at, followers_count, following_count, posts_count)
        VALUES (1, 'Ann', 'ann', 1, 1, 0, 1), (2, 'Bob', 'bob', 2, 0, 1, 2)
        """,
        "INSERT INTO follow (follower_id, followee_id, position) VALUES (2, 1, 3)",
        """
        INSERT INTO post (id, author_id, caption, media_url, category, link, created_at, deleted_at)
        VALUES (11, 1, 'caption', 'm', 'Élan', 'l', 4, NULL), (12, 1, '', '', NULL, NULL, 4, 5),
            (13, 2, 'plain', 'm', 'run', NULL, 4, NULL)
        """,
        "INSERT INTO author_post (author_id, post_id) VALUES (1, 11), (2, 11), (2, 13)",
        """
        INSERT INTO post_tag (post_id, ordinal, tag, tag_key)
        VALUES (11, 1, 'Run', 'run'), (11, 2, 'Yoga', 'yoga'), (13, 1, 'RUN', 'run')
        """,
        "INSERT INTO post_collaborator (post_id, user_id, ordinal, status) VALUES (11, 2, 1, 'accepted')",
        """
        INSERT INTO outbox (id, kind, post_id, user_id, followee_id, progress_author, progress_position, created_at)
        VALUES (21, 'push', 11, 1, NULL, 1, 3, 5), (22, 'unpush', 12, 1, NULL, 0, 0, 6),
            (23, 'edge', NULL, 2, 1, 0, 0, 7)
        """,
    ]
}

extension GraphFixture {
    fileprivate func schema() async throws -> [String] {
        try await database.read { reader in
            try reader.rows("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name", []) { $0.text(0) }
        }
    }
}
