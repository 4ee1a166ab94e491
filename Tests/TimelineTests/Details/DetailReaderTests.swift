import Database
import Saves
import SocialGraph
import TestSupport
import Testing

@testable import Timeline

/// Author cards and readers' states, compared with the acts that made them.
@Suite(.timeLimit(.unit))
struct DetailReaderTests {
    /// A reader of details over a fixture's graph, whose cards are `username|display name|picture`.
    private static func reader(
        _ graph: GraphStore, following database: any GraphDatabase
    ) -> DetailReader {
        let caches = TimelineCaches(graph: graph, encode: ItemEncoding.none.post)
        let details = DetailCaches(graph: graph) { profile in
            let texts = [profile.username, profile.displayName ?? "-", profile.pictureURL ?? "-"]
            return AuthorCard(json: Array(texts.joined(separator: "|").utf8))
        }
        database.observeCommits {
            caches.observe($0)
            details.observe($0.changes, touched: $0.touched)
        }
        return DetailReader(caches: caches, details: details)
    }

    private static func text(_ card: AuthorCard) -> String { String(decoding: card.json, as: UTF8.self) }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `details equal the acts, whatever came before`(seed: UInt64) async throws {
        try await withGraph { fixture in
            var random = SplitMix64(seed: seed)
            let (graph, users) = (fixture.graph, try await fixture.users(4))
            let details = Self.reader(graph, following: fixture.database)
            var posts: [PostID] = []
            for number in 0..<6 {
                posts.append(try await fixture.post(users[number % 4], with: number == 5 ? [users[0]] : []))
            }
            try await graph.collaborations.acceptCollaboration(on: posts[5], by: users[0])
            var (states, follows) = ([[ViewerState]](repeating: Array(repeating: [], count: 6), count: 4), Set<[Int]>())
            var names = (0..<4).map { "user\($0)|-|-" }
            for _ in 0..<150 {
                let (user, post) = (Int.random(in: 0..<4, using: &random), Int.random(in: 0..<6, using: &random))
                switch Int.random(in: 0..<8, using: &random) {
                case 0:
                    try await graph.likes.like(posts[post], by: users[user])
                    states[user][post].insert(.liked)
                case 1:
                    try await graph.likes.unlike(posts[post], by: users[user])
                    states[user][post].remove(.liked)
                case 2:
                    try await graph.saves.save(posts[post], by: users[user])
                    states[user][post].insert(.saved)
                case 3:
                    try await graph.saves.unsave(posts[post], by: users[user])
                    states[user][post].remove(.saved)
                case 4:
                    try await graph.reshares.reshare(posts[post], by: users[user])
                    states[user][post].insert(.reshared)
                case 5:
                    try await graph.reshares.unreshare(posts[post], by: users[user])
                    states[user][post].remove(.reshared)
                case 6 where post % 4 != user:
                    if follows.remove([user, post % 4]) != nil {
                        try await graph.follows.unfollow(users[user], users[post % 4])
                    } else {
                        try await graph.follows.follow(users[user], users[post % 4])
                        follows.insert([user, post % 4])
                    }
                default:
                    var change = ProfileChange()
                    change.displayName = "Name \(post)"
                    change.picture = post == 0 ? ProfileChange.Picture.none : .at(url: "https://example.org/\(post)")
                    try await graph.accounts.changeProfile(of: users[user], change)
                    names[user] = "user\(user)|Name \(post)|\(post == 0 ? "-" : "https://example.org/\(post)")"
                }
                let viewer = Int.random(in: 0..<4, using: &random)
                let fragments = try await details.caches.fragments(of: posts).compactMap(\.self)
                let shown = try await details.details(of: fragments, for: users[viewer])
                #expect(shown.map { Self.text($0.author) } == (0..<6).map { names[$0 % 4] })
                #expect(
                    shown.map(\.viewer)
                        == (0..<6).map { post in
                            var state = states[viewer][post]
                            if follows.contains([viewer, post % 4]) { state.insert(.following) }
                            if post % 4 == viewer || post == 5 && viewer == 0 { state.insert(.isAuthor) }
                            return state
                        })
            }
        }
    }

    @Test func `a page takes one round trip, and none when it is read again`() async throws {
        try await withGraph { fixture in
            let users = try await fixture.users(30)
            var posts: [PostID] = []
            for user in users { posts.append(try await fixture.post(user)) }
            let trips = RoundTrips()
            let counted = GraphStore(database: CountedDatabase(fixture.database) { trips.note() })
            let details = Self.reader(counted, following: fixture.database)
            let fragments = try await details.caches.fragments(of: posts).compactMap(\.self)
            _ = try await details.caches.viewer(users[0])
            let before = trips.count
            for _ in 0..<3 { _ = try await details.details(of: fragments, for: users[0]) }
            #expect(trips.count == before + 1)
            try await fixture.graph.likes.like(posts[7], by: users[0])
            try await fixture.graph.likes.like(posts[8], by: users[1])
            #expect(try await details.details(of: fragments, for: users[0])[7].viewer == .liked)
            // The post was read again for its counts, and the reader's state of that one post.
            #expect(trips.count == before + 2)
        }
    }

    @Test func `a post for many readers takes one round trip`() async throws {
        try await withGraph { fixture in
            let users = try await fixture.users(30)
            let post = try await fixture.post(users[0])
            try await fixture.graph.likes.like(post, by: users[7])
            let trips = RoundTrips()
            let counted = GraphStore(database: CountedDatabase(fixture.database) { trips.note() })
            let details = Self.reader(counted, following: fixture.database)
            let fragment = try #require(try await details.caches.fragments(of: [post])[0])
            for user in users { _ = try await details.caches.viewer(user) }
            let before = trips.count
            try await details.details.load(fragment, for: users)
            for (number, user) in users.enumerated() {
                let found = try await details.details(of: fragment, for: user).viewer
                #expect(found == (number == 0 ? .isAuthor : number == 7 ? .liked : []))
            }
            #expect(trips.count == before + 1)
        }
    }

    @Test func `a reshare of another process is seen, with the feed that it touched or without`() async throws {
        try await withGraph { fixture in
            let users = try await fixture.users(2)
            let post = try await fixture.post(users[0])
            let details = Self.reader(fixture.graph, following: fixture.database)
            let other = try fixture.another()
            let fragment = try #require(try await details.caches.fragments(of: [post])[0])
            #expect(try await details.details(of: fragment, for: users[1]).viewer == [])
            for isKnown in [true, false] {
                let position = FeedPosition(rawValue: 1)
                if isKnown {
                    try await other.graph.reshares.reshare(post, by: users[1])
                } else {
                    try await other.graph.reshares.unreshare(post, by: users[1])
                }
                details.details.observe(
                    isKnown ? [.reshared(at: position, post: post)] : [.unknown(kind: 999, subject: 0, object: 0)],
                    touched: isKnown ? [.actor(users[1])] : nil)
                #expect(try await details.details(of: fragment, for: users[1]).viewer == (isKnown ? .reshared : []))
            }
            try other.database.close()
        }
    }

    @Test func `a suspended author keeps the name, without picture and display name`() async throws {
        try await withGraph { fixture in
            let users = try await fixture.users(2)
            var change = ProfileChange()
            change.displayName = "Shown"
            change.picture = .at(url: "https://example.org/a")
            try await fixture.graph.accounts.changeProfile(of: users[0], change)
            let details = Self.reader(fixture.graph, following: fixture.database)
            func card() async throws -> String { Self.text(try await details.cards(of: [users[0]], for: users[1])[0]) }
            #expect(try await card() == "user0|Shown|https://example.org/a")
            try await fixture.graph.setSuspended(true, users[0])
            #expect(try await card() == "user0|-|-")
            try await fixture.graph.setSuspended(false, users[0])
            #expect(try await card() == "user0|Shown|https://example.org/a")
        }
    }
}
