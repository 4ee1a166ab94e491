import Database
import Importing
import SocialGraph
import TestSupport
import Testing
import Text

@Suite(.timeLimit(.unit))
struct AccountTests {
    @Test
    func `names and addresses that differ in case only are the same`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let ann = try await graph.accounts.createAccount(
                username: "Ann", email: "Ann@Example.org", passwordHash: "hash")
            await #expect(throws: GraphError.usernameTaken("aNN")) {
                _ = try await graph.accounts.createAccount(username: "aNN", email: nil, passwordHash: nil)
            }
            await #expect(throws: GraphError.emailTaken) {
                _ = try await graph.accounts.createAccount(username: "bob", email: "ann@EXAMPLE.org", passwordHash: nil)
            }
            #expect(try await graph.accounts.account(username: "ANN") == ann)
            #expect(try await graph.accounts.account(ann.id) == ann)
            let credentials = try await graph.accounts.credentials(email: "ANN@example.org")
            #expect(credentials?.id == ann.id)
            #expect(credentials?.passwordHash == "hash")
            #expect(try await graph.accounts.tokenEpoch(ann.id) == 0)
            #expect(ann.createdAt == fixture.clock.now)
        }
    }

    @Test(arguments: [("É", "é"), ("e\u{301}", "\u{E9}"), ("E\u{301}lan", "élan"), ("ﬁt", "FIT"), ("ＲＵＮ", "run")])
    func `compatible spellings fold to the same bytes`(one: String, other: String) {
        #expect(Array(NameFolding.key(one).utf8) == Array(NameFolding.key(other).utf8))
    }

    @Test(arguments: [("ann", "anne"), ("u1", "u2"), ("é", "e"), ("a b", "ab")])
    func `different names stay different`(one: String, other: String) {
        #expect(NameFolding.key(one) != NameFolding.key(other))
    }

    @Test
    func `accounts without an address do not exclude each other`() async throws {
        try await withGraph { fixture in
            let users = try await fixture.users(7)
            #expect(try await fixture.graph.accounts.accountIDs(above: nil, limit: 4) == Array(users.prefix(4)))
            #expect(try await fixture.graph.accounts.accountIDs(above: users[3], limit: 9) == Array(users.dropFirst(4)))
        }
    }

    @Test
    func `the most followed come first, the younger of equals before the older`() async throws {
        try await withGraph { fixture in
            let users = try await fixture.users(4)
            for follower in users.dropFirst() { try await fixture.graph.follows.follow(follower, users[0]) }
            try await fixture.graph.follows.follow(users[0], users[2])
            let top = try await fixture.graph.accounts.mostFollowed(limit: 3)
            #expect(top.map(\.id) == [users[0], users[2], users[3]])
            #expect(top.map(\.followersCount) == [3, 1, 0])
        }
    }

    @Test(arguments: [0, 5, 99])
    func `the most followed of matching people are found among the most followed of all, or beside them`(
        walked: Int
    ) async throws {
        try await withGraph { fixture in
            let (users, anns) = (try await fixture.users(4), try await fixture.users(4, prefix: "ann"))
            for user in users {
                for follower in anns { try await fixture.graph.follows.follow(follower, user) }
            }
            for follower in users.prefix(2) { try await fixture.graph.follows.follow(follower, anns[1]) }
            try await fixture.graph.follows.follow(users[0], anns[3])
            let query = TextQuery(.names, [TextQuery.Term(word: "ann", isBeginning: true)])
            let found = try await fixture.database.read {
                try AccountStore.Reader($0).mostFollowed(query, limit: 3, walked: walked)
            }
            #expect(found == [anns[1], anns[3], anns[2]])
        }
    }

    @Test
    func `oneself and unknown users are refused`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let ann = try await fixture.user("ann")
            let nobody = UserID(rawValue: 3)
            await #expect(throws: GraphError.selfFollow) { try await graph.follows.follow(ann, ann) }
            await #expect(throws: GraphError.selfFollow) { try await graph.follows.unfollow(ann, ann) }
            await #expect(throws: GraphError.accountNotFound) { try await graph.follows.follow(ann, nobody) }
            await #expect(throws: GraphError.accountNotFound) { try await graph.follows.follow(nobody, ann) }
            await #expect(throws: GraphError.accountNotFound) { try await graph.follows.unfollow(ann, nobody) }
            await #expect(throws: GraphError.accountNotFound) { try await fixture.post(nobody) }
            await #expect(throws: GraphError.accountNotFound) {
                try await graph.bulkPosts.publish(batch: [.sample(ann), .sample(nobody)])
            }
            await #expect(throws: GraphError.selfCollaboration) { try await fixture.post(ann, with: [ann]) }
            #expect(try await fixture.integer("SELECT COUNT(*) FROM post") == 0)
            #expect(try await fixture.integer("SELECT COUNT(*) FROM follow") == 0)
        }
    }
}
