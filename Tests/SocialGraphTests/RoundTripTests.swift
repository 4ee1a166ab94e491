import Database
import TestSupport
import Testing

@testable import SocialGraph

/// Round trips of operations. With an engine behind a network, each takes as long as many statements.
@Suite(.timeLimit(.unit))
struct RoundTripTests {
    @Test
    func `several queries fetched at once hand out the rows of each`() async throws {
        try await withGraph { fixture in
            let (ada, bob) = (try await fixture.user("ada"), try await fixture.user("bob"))
            let names = try await fixture.database.read { reader in
                try reader.rows(of: [Self.name(of: bob), Self.name(of: UserID(rawValue: 1)), Self.name(of: ada)]) {
                    $0.text(0)
                }
            }
            #expect(names == [["bob"], [], ["ada"]])
            let first = try await fixture.database.write { transaction in
                try transaction.first(of: [Self.everybody, Self.name(of: bob)]) { $0.text(0) }
            }
            #expect(first == ["ada", "bob"])
        }
    }

    @Test
    func `a query, a fetch and a counted statement are a round trip each, others ride along`() async throws {
        try await withGraph { fixture in
            let ada = try await fixture.user("ada")
            let rename = "UPDATE account SET username = 'eve' WHERE id = ?1"
            let trips = try await fixture.roundTrips { graph in
                try await graph.database.write { transaction in
                    try transaction.execute(rename, [.user(ada)])
                    #expect(try transaction.first(Self.everybody.sql, []) { $0.text(0) } == "eve")
                    #expect(try transaction.rows(of: [Self.everybody, Self.name(of: ada)]) { $0.text(0) }.count == 2)
                    #expect(try transaction.rows(of: []) { $0.text(0) } == [])
                    #expect(try transaction.executeCounting(rename, [.user(ada)]) == 1)
                }
            }
            #expect(trips == 3)
        }
    }

    @Test
    func `a page of posts is read with all that belongs to them in one round trip`() async throws {
        try await withGraph { fixture in
            let users = try await fixture.users(3)
            var ids: [PostID] = []
            for number in 0..<70 {
                var post = NewPost.sample(users[number % 3], "post \(number)", with: [users[(number + 1) % 3]])
                post.algorithmTags = ["b\(number % 4)", "a"]
                post.category = "food"
                post.attributes = ["level": .number(3), "list": .list(["z", "y", "x"])]
                ids.append(try await fixture.graph.posts.publish(post).id)
            }
            for count in [1, 2, 20, 21, 64, 65, 70] {
                let asked = Array(ids.shuffled().prefix(count)) + [PostID(rawValue: 1)]
                let trips = try await fixture.roundTrips { graph in
                    let posts = try await graph.posts.posts(asked)
                    #expect(posts.map(\.id) == Array(asked.dropLast()))
                    for post in posts {
                        #expect(post.algorithmTags.count == 2 && post.algorithmTags.last == "a")
                        #expect(post.topics.count == 3 && post.topics == post.topics.sorted())
                        #expect(post.attributes["list"] == .list(["z", "y", "x"]))
                        #expect(post.collaborators.count == 1)
                    }
                }
                #expect(trips == 1)
            }
        }
    }

    @Test
    func `what one act asks of the database stays within its round trips`() async throws {
        try await withGraph { fixture in
            let users = try await fixture.users(4)
            let noted = RoundTrips()
            let graph = GraphStore(database: CountedDatabase(fixture.database) { noted.note() })
            // The first publish checks once whether there are any rules.
            _ = try await graph.posts.publish(NewPost.sample(users[0], "before"))
            func expect(
                _ limit: Int, _ name: String, _ body: (GraphStore) async throws -> Void
            ) async throws {
                let before = noted.count
                try await body(graph)
                let trips = noted.count - before
                #expect(trips <= limit, "\(name) takes \(trips)")
            }
            try await expect(4, "follow") { _ = try await $0.follows.follow(users[1], users[0]) }
            var post = NewPost.sample(users[0], "first")
            post.algorithmTags = ["one", "two", "three"]
            post.category = "food"
            try await expect(4, "publish") { _ = try await $0.posts.publish(post) }
            post.collaborators = Array(users[1...])
            try await expect(6, "publish with collaborators") { _ = try await $0.posts.publish(post) }
            let id = try await fixture.post(users[0])
            try await expect(4, "like") { _ = try await $0.likes.like(id, by: users[1]) }
            try await expect(4, "reshare") { _ = try await $0.reshares.reshare(id, by: users[1]) }
            try await expect(1, "context") { _ = try await $0.feeds.viewerContext(of: users[1]) }
            let context = try await fixture.graph.feeds.viewerContext(of: users[1])
            try await expect(2, "home") { _ = try await $0.feeds.homeSlice(of: context, below: .end, limit: 20) }
            try await expect(1, "reshares") { _ = try await $0.feeds.reshares(of: [id, id], limit: 4) }
        }
    }

    @Test
    func `many windows, and many withdrawn notifications, take as many round trips as one`() async throws {
        try await withGraph { fixture in
            let users = try await fixture.users(8)
            for reader in users.dropFirst() { try await fixture.graph.follows.follow(reader, users[0]) }
            for reader in users.dropFirst(2) { try await fixture.graph.follows.follow(reader, users[1]) }
            for number in 0..<6 {
                let post = try await fixture.post(users[0])
                if number.isMultiple(of: 2) { try await fixture.graph.reshares.reshare(post, by: users[1]) }
                try await fixture.graph.likes.like(post, by: users[7])
                if number == 0 { try await fixture.graph.likes.like(post, by: users[6]) }
            }
            var builds: [Int] = []
            for count in [1, 6] {
                builds.append(
                    try await fixture.roundTrips { graph in
                        let windows = try await graph.feeds.windowEntries(of: Array(users.suffix(count)), limit: 4)
                        #expect(windows.allSatisfy { $0.count == 4 })
                    })
            }
            // One round trip for the followees, then several for walks, probes and the authors of reshared posts, until
            // the slowest window is full.
            #expect(builds[0] == builds[1] && builds[0] <= 9, "windows take \(builds)")
            var blocks: [Int] = []
            for blocked in [users[6], users[7]] {
                blocks.append(
                    try await fixture.roundTrips { _ = try await $0.blocksAndMutes.block(users[0], blocked) })
            }
            #expect(blocks[0] == blocks[1], "blocks take \(blocks)")
        }
    }

    private static let everybody = SQLQuery("SELECT username FROM account ORDER BY id", [])

    private static func name(of user: UserID) -> SQLQuery {
        SQLQuery("SELECT username FROM account WHERE id = ?1", [.user(user)])
    }
}
