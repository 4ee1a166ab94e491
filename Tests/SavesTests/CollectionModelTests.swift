import Database
import Saves
import TestSupport
import Testing
import Text

@testable import SocialGraph

/// Saves and collections against a model in plain collections.
@Suite(.timeLimit(.unit))
struct CollectionModelTests {
    private struct Owner {
        /// Saved posts, oldest save first.
        var saves: [PostID] = []
        var collections: [CollectionID: (name: String, posts: [PostID])] = [:]
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `random acts leave what the model says`(seed: UInt64) async throws {
        try await withGraph { fixture in
            var history = History(fixture, seed: seed)
            try await history.begin()
            for _ in 0..<400 { try await history.act() }
            try await history.check()
        }
    }

    private struct History {
        let fixture: GraphFixture
        var random: SplitMix64
        var users: [UserID] = []
        var posts: [PostID] = []
        var owners: [UserID: Owner] = [:]

        init(_ fixture: GraphFixture, seed: UInt64) {
            self.fixture = fixture
            random = SplitMix64(seed: seed)
        }

        var graph: GraphStore { fixture.graph }

        mutating func begin() async throws {
            users = try await fixture.users(3)
            for _ in 0..<12 { posts.append(try await fixture.post(users[0])) }
            for user in users { owners[user] = Owner() }
        }

        mutating func act() async throws {
            let (user, post) = (users.randomElement(using: &random)!, posts.randomElement(using: &random)!)
            var owner = owners[user]!
            // Sometimes a collection of another user.
            let known = owners.values.flatMap(\.collections.keys).sorted()
            let collection = known.randomElement(using: &random) ?? CollectionID(rawValue: 1)
            let isOwn = owner.collections[collection] != nil
            switch Int.random(in: 0..<12, using: &random) {
            case 0, 1:
                try await graph.saves.save(post, by: user)
                if !owner.saves.contains(post) { owner.saves.append(post) }
            case 2, 3:
                let wasSaved = owner.saves.contains(post)
                #expect(try await graph.saves.unsave(post, by: user) == wasSaved)
                owner.saves.removeAll { $0 == post }
                for id in owner.collections.keys { owner.collections[id]?.posts.removeAll { $0 == post } }
            case 4: try await make(&owner, of: user)
            case 5...7:
                try await attempt(isOwn) { try await graph.collections.collect(post, in: collection, by: user) }
                guard isOwn else { break }
                if !owner.saves.contains(post) { owner.saves.append(post) }
                if owner.collections[collection]?.posts.contains(post) == false {
                    owner.collections[collection]?.posts.append(post)
                }
            case 8:
                try await attempt(isOwn) { _ = try await graph.collections.uncollect(post, from: collection, by: user) }
                owner.collections[collection]?.posts.removeAll { $0 == post }
            case 9, 10:
                let present = owner.collections[collection]?.posts ?? []
                let first = Array(present.shuffled(using: &random).prefix(2))
                try await attempt(isOwn) { try await graph.collections.reorder(collection, first: first, by: user) }
                owner.collections[collection]?.posts = first + present.filter { !first.contains($0) }
            default:
                try await attempt(isOwn) { try await graph.collections.deleteCollection(collection, by: user) }
                owner.collections[collection] = nil
            }
            owners[user] = owner
        }

        private mutating func make(_ owner: inout Owner, of user: UserID) async throws {
            let name = ["Later", "later", "Été", "Legs"].randomElement(using: &random)!
            let isTaken = owner.collections.values.contains { NameFolding.key($0.name) == NameFolding.key(name) }
            do {
                let made = try await graph.collections.createCollection(named: name, by: user)
                #expect(!isTaken)
                owner.collections[made.id] = (name, [])
            } catch let refusal as GraphError {
                #expect(isTaken && refusal == .collectionNameTaken(name))
            }
        }

        private func attempt(_ isOwn: Bool, _ act: () async throws -> Void) async throws {
            guard isOwn else {
                await #expect(throws: GraphError.collectionNotFound) { try await act() }
                return
            }
            try await act()
        }

        func check() async throws {
            for (user, owner) in owners {
                var saves: [PostID] = []
                var cursor: Int64?
                repeat {
                    let page = try await graph.saves.saves(by: user, below: cursor, limit: 3)
                    saves += page.map(\.post)
                    cursor = page.last?.id
                } while cursor != nil
                #expect(saves == owner.saves.reversed())
                let collections = try await graph.collections.collections(of: user)
                #expect(collections.map(\.id) == owner.collections.keys.sorted(by: >))
                for collection in collections {
                    let posts = try await graph.collections.posts(in: collection.id, of: user, above: nil, limit: 100)
                        .map(\.post)
                    #expect(posts == owner.collections[collection.id]?.posts)
                    #expect(collection.postsCount == Int64(posts.count))
                    #expect(collection.name == owner.collections[collection.id]?.name)
                }
            }
        }
    }
}
