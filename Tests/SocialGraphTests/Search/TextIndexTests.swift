import Database
import Importing
import TestSupport
import Testing
import Text

@testable import Discovery
@testable import SocialGraph

/// Indexing of documents at the end of a transaction, together with all others of the same transaction.
@Suite(.timeLimit(.unit))
struct TextIndexTests {
    private func found(_ words: String, _ fixture: GraphFixture) async throws -> [PostID] {
        try await fixture.graph.search.newestPosts(having: SearchWords(words), PostFilter(), below: nil, limit: 99)
            .posts
    }

    @Test
    func `what one request of a group did is indexed, and what another had undone is not`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let (ann, bob) = (try await fixture.user("ann"), try await fixture.user("bob"))
            let edited = try await fixture.post(ann, "bread")
            let failing = NewPost.sample(ann, "soup", with: [UserID(rawValue: 1)])
            let results = try await fixture.database.inOneGroup(
                { try await graph.posts.publish(.sample(ann, "soup of ann")).id },
                { try await graph.posts.publish(failing).id },
                {
                    var change = PostChange()
                    change.caption = "cake"
                    return try await graph.posts.editPost(edited, by: ann, change).id
                },
                { try await graph.posts.publish(.sample(bob, "soup of bob")).id },
                {
                    try await graph.posts.deletePost(edited, by: bob)
                    return edited
                })
            #expect(results.map { $0.error as? GraphError } == [nil, .unknownCollaborator("1"), nil, nil, .notAuthor])
            let published = [results[3], results[0]].compactMap { try? $0.get() }
            #expect(try await found("soup", fixture) == published)
            #expect(try await found("cake", fixture) == [edited])
            #expect(try await found("bread", fixture) == [])
            #expect(try await fixture.documents(in: "post_text").count == 3)
        }
    }

    @Test
    func `what the transaction that created a post has changed or deleted is indexed as it ends`() async throws {
        try await withGraph { fixture in
            let ann = try await fixture.user("ann")
            let posts = try await fixture.database.write { transaction in
                let posts = try (0..<3).map { _ in try PostStore.Writer(transaction).insert(.sample(ann, "soup")).id }
                transaction.index(.post(posts[1]))
                try PostStore.Writer(transaction).retract(posts[2], by: ann)
                return posts
            }
            #expect(try await found("soup", fixture) == [posts[1], posts[0]])
            #expect(try await fixture.documents(in: "post_text").count == 2)
        }
    }

    @Test
    func `of a request that fails alone nothing is indexed`() async throws {
        try await withGraph { fixture in
            let ann = try await fixture.user("ann")
            let failing = NewPost.sample(ann, "soup", with: [UserID(rawValue: 1)])
            await #expect(throws: GraphError.unknownCollaborator("1")) {
                try await fixture.graph.posts.publish(failing)
            }
            await #expect(throws: GraphError.usernameTaken("ANN")) { try await fixture.user("ANN") }
            #expect(try await found("soup", fixture) == [])
            #expect(try await fixture.documents(in: "account_text") == [ann.rawValue])
        }
    }

    @Test
    func `published and deleted in one group leaves nothing`() async throws {
        try await withGraph { fixture in
            let ann = try await fixture.user("ann")
            try await fixture.database.write { transaction in
                let post = try PostStore.Writer(transaction).insert(.sample(ann, "soup")).id
                try PostStore.Writer(transaction).retract(post, by: ann)
            }
            #expect(try await fixture.documents(in: "post_text") == [])
        }
    }

    @Test
    func `a rename writes one document, however many posts there are`() async throws {
        try await withGraph { fixture in
            let ann = try await fixture.user("ann")
            let posts = try await fixture.graph.bulkPosts.publish(batch: (0..<50).map { .sample(ann, "post \($0)") })
            var change = ProfileChange()
            change.username = "marion"
            change.displayName = "Zoë"
            try await fixture.graph.accounts.changeProfile(of: ann, change)
            for words in ["marion", "zoe post", "mar"] {
                #expect(try await found(words, fixture) == posts.reversed(), "\(words)")
            }
            #expect(try await found("ann", fixture) == [])
        }
    }

    @Test
    func `a rename leaves the documents of posts alone`() async throws {
        try await withSQLiteGraph { fixture in
            let ann = try await fixture.user("ann")
            _ = try await fixture.graph.bulkPosts.publish(batch: (0..<50).map { .sample(ann, "post \($0)") })
            let before = try await fixture.integers("SELECT length(block) FROM post_text_data ORDER BY id")
            var change = ProfileChange()
            change.username = "marion"
            try await fixture.graph.accounts.changeProfile(of: ann, change)
            #expect(try await fixture.integers("SELECT length(block) FROM post_text_data ORDER BY id") == before)
        }
    }

    @Test
    func `a word of many names stands for the most followed of them, those with the very word first`() async throws {
        try await withGraph { fixture in
            let fans = try await fixture.users(3)
            let people = try await fixture.users(200, prefix: "cook.")
            for (rank, cook) in [people[7], people[9]].enumerated() {
                for fan in fans.dropFirst(rank) { try await fixture.graph.follows.follow(fan, cook) }
            }
            let named = try await fixture.user("coo")
            let first = try await fixture.database.read { reader in
                try SearchStore.Reader(reader).users(named: "coo", isBeginning: true, limit: 3)
            }
            #expect(first == [named, people[7], people[9]])
        }
    }

    @Test
    func `people are found by relevance and followers, and nobody across a block`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let (ann, viewer) = (try await fixture.user("ann"), try await fixture.user("viewer"))
            let (anna, annabel) = (try await fixture.user("anna"), try await fixture.user("annabel"))
            for fan in try await fixture.users(9) { try await graph.follows.follow(fan, annabel) }
            func found(_ words: String, limit: Int = 9) async throws -> [UserID] {
                try await graph.search.accounts(matching: SearchWords(words), for: viewer, limit: limit).map(\.id)
            }
            #expect(try await found("ann") == [ann, annabel, anna])
            #expect(try await found("anna") == [anna, annabel])
            #expect(try await found("a", limit: 1) == [annabel])
            try await graph.blocksAndMutes.block(annabel, viewer)
            #expect(try await found("ann") == [ann, anna])
            try await graph.erasures.deleteAccount(ann)
            #expect(try await found("ann") == [anna])
        }
    }
}
