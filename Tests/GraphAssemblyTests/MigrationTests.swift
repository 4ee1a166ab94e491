import Database
import Discovery
import Foundation
import Importing
import Moderation
import TestSupport
import Testing
import Text

@testable import Database
@testable import SocialGraph

@Suite(.timeLimit(.unit))
struct MigrationTests {
    @Test
    func `a fresh and a reopened database have the same schema`() async throws {
        try await withSQLiteGraph { fixture in
            let fresh = try await fixture.schema()
            #expect(fresh.contains { $0.contains("CREATE TABLE follow") })
            let reopened = try fixture.another()
            #expect(try await reopened.schema() == fresh)
            try reopened.database.close()
        }
    }

    @Test
    func `the index of posts of 0.1.0 gets the texts of attributes`() async throws {
        try await withSQLiteGraph { fixture in
            let ann = try await fixture.user("ann")
            var attributes: [String: AttributeValue] = ["cuisineType": .text("Italian"), "servings": .number(4)]
            attributes["equipment"] = .list(["Écumoire", "pan"])
            let posts = try await fixture.graph.bulkPosts.publish(
                batch: [attributes, [:]].map {
                    NewPost(author: ann, caption: "bread", mediaURL: "https://m.example/1", attributes: $0)
                })
            func found(_ words: String, _ fixture: SQLiteFixture) async throws -> [PostID] {
                try await fixture.graph.search.newestPosts(
                    having: SearchWords(words), PostFilter(), below: nil, limit: 9
                ).posts
            }
            #expect(try await found("italian", fixture) == [posts[0]])
            try await fixture.database.write { transaction in
                for statement in [
                    "CREATE TABLE kept AS SELECT rowid AS id, * FROM post_text", "DROP TABLE post_word",
                    "DROP TABLE post_text",
                    "CREATE VIRTUAL TABLE post_text USING fts5 (title, caption, tags, category, authors)",
                    """
                    INSERT INTO post_text (rowid, title, caption, tags, category, authors)
                    SELECT id, title, caption, tags, category, authors FROM kept
                    """, "DROP TABLE kept", "CREATE VIRTUAL TABLE post_word USING fts5vocab (post_text, instance)",
                    "DELETE FROM grdb_migrations WHERE identifier = '\(SchemaChange.searchableAttributes.name)'",
                ] {
                    try transaction.execute(statement, [])
                }
            }
            let reopened = try fixture.another()
            for words in ["italian", "ecumoire", "italian pan bread"] {
                #expect(try await found(words, reopened) == [posts[0]], "\(words)")
            }
            #expect(try await found("bread ann", reopened) == posts.reversed())
            #expect(try await found("4", reopened) == [])
            try reopened.database.close()
        }
    }

    @Test
    func `comments that were held before the upgrade are in the queues of their communities`() async throws {
        try await withSQLiteGraph { fixture in
            let (graph, ann) = (fixture.graph, try await fixture.user("ann"))
            let community = try await graph.communities.createCommunity(name: "Square", description: "", by: ann).id
            var new = NewPost.sample(ann)
            new.community = community
            let posts = [try await graph.posts.publish(new).id, try await fixture.post(ann)]
            var held: [CommentID] = []
            for post in posts + posts {
                held.append(try await graph.comments.comment(on: post, by: ann, content: "hello").id)
                try await graph.setHidden(true, held[held.count - 1], "held_at", on: post)
            }
            _ = try await graph.comments.comment(on: posts[0], by: ann, content: "shown")
            // Comments that somebody has decided about are not in the queue.
            try await graph.setHidden(true, held[2], "removed_at", on: posts[0])
            try await graph.setHidden(true, held[3], "taken_down_at", on: posts[1])
            try await fixture.database.write { transaction in
                try transaction.execute("DROP TABLE held_comment", [])
                try transaction.execute(
                    "DELETE FROM grdb_migrations WHERE identifier = '\(SchemaChange.heldComments.name)'", [])
            }
            let reopened = try fixture.another()
            #expect(
                try await reopened.integers("SELECT comment_id FROM held_comment ORDER BY comment_id")
                    == held.prefix(2).map(\.rawValue))
            #expect(
                try await reopened.integers("SELECT community_id FROM held_comment ORDER BY comment_id")
                    == [community.rawValue, 0])
            try reopened.database.close()
        }
    }

    @Test
    func `a database of before the first release is refused with the way out, and left alone`() async throws {
        try await withSQLiteGraph { fixture in
            try await fixture.database.write { transaction in
                try transaction.execute("DELETE FROM grdb_migrations", [])
                for identifier in [SchemaMigrator.firstUnreleased, "013-logins"] {
                    try transaction.execute(
                        "INSERT INTO grdb_migrations (identifier) VALUES (?1)", [.text(identifier)])
                }
            }
            let before = try await fixture.schema()
            let error = #expect(throws: DatabaseError.self) { try fixture.another() }
            #expect(error?.detail?.contains("before 0.1.0") == true)
            #expect(error?.detail?.contains("graphd import follows") == true)
            #expect(try await fixture.schema() == before)
        }
    }

    @Test
    func `a database of a newer graphd is refused and left alone`() async throws {
        try await withSQLiteGraph { fixture in
            try await fixture.database.write { transaction in
                try transaction.execute("INSERT INTO grdb_migrations (identifier) VALUES ('9.0.0')", [])
            }
            let before = try await fixture.schema()
            let error = #expect(throws: DatabaseError.self) { try fixture.another() }
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
            #expect(throws: DatabaseError.self) { try SQLiteFixture(path: path) }
        }
    }
}

extension SQLiteFixture {
    fileprivate func schema() async throws -> [String] {
        try await database.read { reader in
            try reader.rows("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name", []) { $0.text(0) }
        }
    }
}
