import Database
import Saves
import TestSupport
import Testing

@testable import SocialGraph

@Suite(.timeLimit(.unit))
struct SaveTests {
    @Test
    func `a deleted post leaves every collection, and their counts follow`() async throws {
        try await withGraph { fixture in
            let (graph, users) = (fixture.graph, try await fixture.users(4))
            let (post, other) = (try await fixture.post(users[0]), try await fixture.post(users[0]))
            for user in users {
                let collection = try await graph.collections.createCollection(named: "later", by: user).id
                for post in [post, other] { try await graph.collections.collect(post, in: collection, by: user) }
            }
            try await graph.posts.deletePost(post, by: users[0])
            while try await graph.posts.purgeLeftovers(of: post, limit: 3) {}
            #expect(try await fixture.integers("SELECT DISTINCT posts_count FROM collection") == [1])
            #expect(try await fixture.integer("SELECT COUNT(*) FROM collection_post") == 4)
            #expect(try await fixture.integer("SELECT COUNT(*) FROM saved_post") == 4)
            await #expect(throws: GraphError.postNotFound) { try await graph.saves.save(post, by: users[1]) }
        }
    }

    @Test
    func `an erased account leaves none of them`() async throws {
        try await withGraph { fixture in
            let (graph, users) = (fixture.graph, try await fixture.users(2))
            for name in ["a", "b", "c"] {
                let collection = try await graph.collections.createCollection(named: name, by: users[1]).id
                for _ in 0..<3 {
                    try await graph.collections.collect(fixture.post(users[0]), in: collection, by: users[1])
                }
            }
            try await graph.erasures.deleteAccount(users[1])
            while try await graph.erasures.eraseSome(of: users[1], limit: 2) == .removed {}
            for table in ["saved_post", "collection", "collection_post"] {
                #expect(try await fixture.integer("SELECT COUNT(*) FROM \(table)") == 0, "\(table)")
            }
        }
    }

    @Test
    func `lists are bounded, and a refusal changes nothing`() async throws {
        try await withGraph { fixture in
            let (graph, users) = (fixture.graph, try await fixture.users(1))
            var last = CollectionID(rawValue: 0)
            for number in 1...SocialGraphLimits.collectionsPerUser {
                last = try await graph.collections.createCollection(named: "c\(number)", by: users[0]).id
            }
            await #expect(throws: GraphError.limitReached("\(SocialGraphLimits.collectionsPerUser) collections")) {
                try await graph.collections.createCollection(named: "more", by: users[0])
            }
            let posts = [try await fixture.post(users[0]), try await fixture.post(users[0])]
            try await graph.collections.collect(posts[0], in: last, by: users[0])
            await #expect(throws: GraphError.notInCollection(String(posts[1].rawValue))) {
                try await graph.collections.reorder(last, first: [posts[0], posts[1]], by: users[0])
            }
            _ = try await fixture.database.write { transaction in
                try transaction.execute(
                    "UPDATE collection SET posts_count = ?1", [.integer(SocialGraphLimits.postsPerCollection)])
            }
            await #expect(throws: GraphError.self) {
                try await graph.collections.collect(posts[1], in: last, by: users[0])
            }
            #expect(try await graph.saves.saves(by: users[0], below: nil, limit: 5).map(\.post) == [posts[0]])
            _ = try await graph.collections.renameCollection(last, to: "C100", by: users[0])
            await #expect(throws: GraphError.collectionNameTaken("C1")) {
                try await graph.collections.renameCollection(last, to: "C1", by: users[0])
            }
        }
    }
}
