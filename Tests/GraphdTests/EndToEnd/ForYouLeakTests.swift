import Database
import Discovery
import Moderation
import Saves
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import graphd

/// Recommendations contain only posts that the public timeline would show to the reader. The networks are random:
/// blocks, mutes, private communities, posts for followers, removals, takedowns and deletions.
@Suite(.timeLimit(.process))
struct ForYouLeakTests {
    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func `every recommended post stands in the public feed of its reader`(seed: UInt64) async throws {
        try await GraphdServer.prepared { server in
            var network = try await RandomNetwork(server, seed: seed)
            for _ in 0..<400 { try await network.act() }
            try await server.start()
            for round in 0..<4 {
                var recommended = 0
                for person in network.people {
                    let reader = server.client(person)
                    let visible = Set(try await reader.walk("/v1/timelines/public").compactMap { $0["postId"]?.text })
                    let list = try await reader.walk("/v1/timelines/for-you", limit: 7)
                    let posts = list.compactMap { $0["postId"]?.text }
                    #expect(Set(posts).count == posts.count)
                    let seen = try await network.seen(by: person)
                    #expect(Set(posts).subtracting(visible) == [], "leaked")
                    #expect(Set(posts).isDisjoint(with: seen))
                    // All candidates fit into one list, so a new list contains all of them.
                    if round == 0 { #expect(Set(posts) == visible.subtracting(seen)) }
                    recommended += posts.count
                    let reasons = try await reader.get("/v1/timelines/for-you?explain=true&limit=100").json
                    for reason in reasons["items"]?.entries?.flatMap({ $0["reasons"]?.entries ?? [] }) ?? [] {
                        if let post = reason["postId"]?.text {
                            #expect(visible.contains(post), "told of a hidden post")
                        }
                    }
                }
                #expect(recommended > 0)
                for _ in 0..<60 { try await network.act() }
                // Acts beside the server reach its caches through the change log.
                try await network.waitForJobs()
            }
        }
    }
}

/// People who perform random acts that hide or show posts, beside the server.
private struct RandomNetwork {
    let server: GraphdServer
    let people: [Person]
    private var random: graphd.SeededGenerator
    private var posts: [(id: PostID, author: UserID)] = []
    private let communities: [CommunityID]

    init(_ server: GraphdServer, seed: UInt64) async throws {
        self.server = server
        random = graphd.SeededGenerator(seed: seed)
        var people: [Person] = []
        for _ in 0..<8 { people.append(try await server.person()) }
        self.people = people
        communities = [
            try await server.graph.communities.createCommunity(name: "open", description: "", by: people[0].id).id,
            try await server.graph.communities.createCommunity(
                name: "closed", description: "", by: people[1].id, isPrivate: true
            )
            .id,
        ]
    }

    private mutating func someone() -> UserID { random.pick(people).id }

    /// Performs a random act. A refusal by the graph, such as acting across a block, counts as an act.
    mutating func act() async throws {
        do {
            try await attempt()
        } catch is GraphError {}
    }

    private mutating func attempt() async throws {
        let (graph, one, other) = (server.graph, someone(), someone())
        guard !posts.isEmpty, !random.chance(20) else { return try await publish(one) }
        let post = random.pick(posts)
        switch random.below(16) {
        case 0, 1: try await graph.follows.follow(one, other)
        case 2: try await graph.follows.unfollow(one, other)
        case 3: try await graph.blocksAndMutes.block(one, other)
        case 4, 5: try await graph.blocksAndMutes.unblock(one, other)
        case 6: try await graph.blocksAndMutes.mute(one, other, .everything)
        case 7: try await graph.blocksAndMutes.mute(one, other, [])
        case 8: try await graph.likes.like(post.id, by: one)
        case 9: try await graph.saves.save(post.id, by: one)
        case 10: try await graph.watches.watch(post.id, by: one, seconds: 5, isCompleted: random.chance(50))
        case 11: try await graph.communities.setTakenDown(random.chance(50), post: post.id)
        case 12: try await graph.communities.setRemoved(random.chance(50), post: post.id)
        case 13: try await graph.communities.joinCommunity(communities[0], by: one)
        case 14: if random.chance(30) { try await graph.posts.deletePost(post.id, by: post.author) }
        default: try await graph.communities.leaveCommunity(communities[0], by: one)
        }
    }

    private mutating func publish(_ author: UserID) async throws {
        var post = NewPost(author: author, caption: "c", mediaURL: "https://example.org/1")
        if random.chance(20) { post.visibility = .followers }
        if random.chance(30) { post.community = random.pick(communities) }
        if random.chance(50) { post.category = "c\(random.below(3))" }
        if random.chance(30) { post.collaborators = [someone()].filter { $0 != author } }
        posts.append((try await server.graph.posts.publish(post).id, author))
    }

    /// The reader's own posts, and those that the reader liked, saved or watched to the end.
    func seen(by person: Person) async throws -> Set<String> {
        let ids = posts.map(\.id)
        let seen = try await server.graph.recommendations.hasSeen(ids, person.id)
        let own = try await server.graph.posts.posts(ids).filter { $0.authors.contains(person.id) }.map(\.id)
        return Set((zip(ids, seen).filter(\.1).map(\.0) + own).map { String($0.rawValue) })
    }

    /// Returns once the server's caches are up to date: it reads the change log before it removes a job that another
    /// process has written.
    mutating func waitForJobs() async throws {
        let post = NewPost(author: people[0].id, caption: "c", mediaURL: "https://example.org/1")
        posts.append((try await server.graph.posts.publish(post).id, post.author))
        try await server.waitForJobs()
    }
}
