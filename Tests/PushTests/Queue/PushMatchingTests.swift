import Database
import Importing
import TestSupport
import Testing

@testable import Push
@testable import SocialGraph

/// Users interested in a new post.
@Suite(.timeLimit(.unit))
struct PushMatchingTests {
    private static func prefer(_ fixture: GraphFixture, _ user: UserID, _ name: String, _ texts: [String]) async throws
    {
        var change = ProfileChange()
        change.preferences = [name: .list(texts)]
        try await fixture.graph.accounts.changeProfile(of: user, change)
        try await fixture.graph.devices.registerDevice("t\(user.rawValue)", platform: .ios, app: nil, of: user)
    }

    private static func match(_ fixture: GraphFixture) async throws -> [UserID] {
        while try await fixture.graph.pushEvents.matchInterests() {}
        let events = try await fixture.graph.tellAll(at: fixture.clock.now)
        #expect(events.allSatisfy { $0.kind == .newVideo && $0.post?.rawValue == $0.subject })
        return events.map(\.user).sorted()
    }

    @Test
    func `what a post says of itself is looked for among preferences, letter case ignored`() async throws {
        try await withGraph { fixture in
            let users = try await fixture.users(8)
            let author = users[0]
            try await Self.prefer(fixture, users[1], "preferredWorkoutTypes", ["Yoga", "HIIT"])
            try await Self.prefer(fixture, users[2], "preferredTypes", ["hiit", "HIIT"])
            try await Self.prefer(fixture, users[3], "preferredCuisines", ["Hiit"])
            try await Self.prefer(fixture, users[4], "preferredWorkoutTypes", ["boxing"])
            try await Self.prefer(fixture, users[5], "goals", ["HIIT"])
            try await Self.prefer(fixture, author, "preferredTypes", ["HIIT"])
            func post(
                _ attributes: [String: AttributeValue], category: String? = nil, tags: [String] = []
            ) async throws -> [UserID] {
                _ = try await fixture.graph.posts.publish(
                    NewPost(
                        author: author, caption: "c", mediaURL: "m", category: category, algorithmTags: tags,
                        attributes: attributes))
                return try await Self.match(fixture)
            }
            #expect(try await post(["workoutType": .text("hiit")]) == [users[1], users[2]])
            #expect(try await post(["cuisineType": .text("HIIT")]) == [users[2], users[3]])
            #expect(try await post([:], category: "HIIT") == [users[1], users[2], users[3]])
            #expect(try await post([:], tags: ["x", "Boxing"]) == [users[4]])
            #expect(try await post(["difficulty": .text("hiit")]) == [])
            #expect(try await fixture.integer("SELECT COUNT(*) FROM push_match") == 0)
        }
    }

    @Test
    func `an audience of many steps is told whole, each once, also after a crash between them`() async throws {
        try await withGraph { fixture in
            let count = PushEventStore.matchStep * 2 + 7
            let users = try await fixture.users(count)
            let author = try await fixture.user("author")
            try await fixture.database.write { transaction in
                for user in users {
                    try AttributeStore.Writer(transaction).store(
                        ["preferredTypes": .list(["a", "b"]), "preferredWorkoutTypes": .text("a")],
                        as: .preferences, of: user.rawValue)
                    try transaction.execute(
                        "INSERT INTO device (id, user_id, token, platform, created_at) VALUES (?1, ?2, ?3, 'ios', 0)",
                        [.integer(try transaction.nextID()), .user(user), .text("t\(user.rawValue)")])
                }
            }
            _ = try await fixture.graph.posts.publish(
                NewPost(
                    author: author, caption: "c", mediaURL: "m", algorithmTags: ["b"],
                    attributes: ["workoutType": .text("a")]))
            for _ in 0..<3 { #expect(try await fixture.graph.pushEvents.matchInterests()) }
            let next = try fixture.another()
            while try await next.graph.pushEvents.matchInterests() {}
            let events = try await next.graph.pushEvents.duePushes(at: fixture.clock.now, limit: 10_000)
            #expect(events.map(\.user).sorted() == users.sorted())
            try next.database.close()
        }
    }

    @Test
    func `an import tells nobody, and so does a post that is gone`() async throws {
        try await withGraph { fixture in
            let users = try await fixture.users(2)
            try await Self.prefer(fixture, users[1], "preferredTypes", ["HIIT"])
            let post = NewPost(
                author: users[0], caption: "c", mediaURL: "m", attributes: ["workoutType": .text("HIIT")])
            _ = try await fixture.graph.bulkPosts.publish(batch: [post])
            #expect(try await Self.match(fixture) == [])
            let gone = try await fixture.graph.posts.publish(post).id
            try await fixture.graph.posts.deletePost(gone, by: users[0])
            #expect(try await Self.match(fixture) == [])
            // No work is left if no interested user has a target.
            try await fixture.graph.devices.removeDevice("t\(users[1].rawValue)", of: users[1])
            _ = try await fixture.graph.posts.publish(post)
            #expect(try await fixture.integer("SELECT COUNT(*) FROM push_match") == 0)
        }
    }

    @Test
    func `the newest matches come first, those of others only`() async throws {
        try await withGraph { fixture in
            let users = try await fixture.users(2)
            try await Self.prefer(fixture, users[1], "preferredCuisines", ["Thai"])
            var expected: [PostID] = []
            for (author, cuisine) in [(0, "thai"), (0, "greek"), (1, "Thai"), (0, "THAI")] {
                let id = try await fixture.graph.posts.publish(
                    NewPost(
                        author: users[author], caption: "c", mediaURL: "m",
                        attributes: ["cuisineType": .text(cuisine)])
                ).id
                if author == 0, cuisine != "greek" { expected.insert(id, at: 0) }
            }
            #expect(try await fixture.graph.pushEvents.newestMatches(of: users[1], limit: 5) == expected)
            #expect(try await fixture.graph.pushEvents.newestMatches(of: users[0], limit: 5) == [])
        }
    }
}
