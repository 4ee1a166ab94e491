import Database
import SocialGraph
import TestSupport

@testable import Discovery

/// A graph in a database of its own, with trends and rankings over it, and a clock that the test moves.
struct DiscoveryFixture: GraphScene {
    static let hour: Int64 = 3_600_000

    let clock: AdjustableClock
    let database: any TestDatabase
    let graph: GraphStore
    let trends: Trends
    let rankings: Rankings
    private let location: GraphLocation

    init(at location: GraphLocation, clock: AdjustableClock) throws {
        self.location = location
        self.clock = clock
        database = try location.open(GraphClock { clock.now })
        graph = GraphStore(database: database)
        trends = Trends(graph: graph) { clock.now }
        rankings = Rankings(graph: graph, trends: trends) { clock.now }
    }

    /// The state after a restart of the server.
    func restarted() throws -> DiscoveryFixture { try DiscoveryFixture(at: location, clock: clock) }

    var hour: Int64 { clock.now / Self.hour }

    func user(_ name: String = "ann") async throws -> UserID {
        if let known = try await graph.accounts.account(username: name) { return known.id }
        return try await graph.accounts.createAccount(username: name, email: nil, passwordHash: nil).id
    }

    func post(
        category: String? = nil, tags: [String] = [], visibility: PostVisibility = .everyone,
        community: CommunityID? = nil
    ) async throws -> PostID {
        try await graph.posts.publish(
            NewPost(
                author: try await user(), caption: "c", mediaURL: "https://example.org/1", category: category,
                algorithmTags: tags, visibility: visibility, community: community)
        ).id
    }

    func posts(_ count: Int, tags: [String] = []) async throws -> [PostID] {
        var posts: [PostID] = []
        for _ in 0..<count { posts.append(try await post(tags: tags)) }
        return posts
    }

    /// Lets two of the longest periods pass, so that what exists has a history.
    func grow() { clock.advance(by: 2 * TrendWindow.week.hours * Self.hour) }

    /// Counts engagement of `post` in the hour that is `hoursAgo` before the current one.
    func engage(
        _ post: PostID, hoursAgo: Int64 = 0, likes: Int64 = 0, comments: Int64 = 0, shares: Int64 = 0
    ) async throws {
        let hour = hour - hoursAgo
        try await database.write { transaction in
            try transaction.execute(
                """
                INSERT INTO engagement_hour (hour, post_id, likes, comments, shares) VALUES (?1, ?2, ?3, ?4, ?5)
                ON CONFLICT (hour, post_id) DO UPDATE SET likes = engagement_hour.likes + excluded.likes,
                    comments = engagement_hour.comments + excluded.comments,
                    shares = engagement_hour.shares + excluded.shares
                """,
                [.integer(hour), .post(post), .integer(likes), .integer(comments), .integer(shares)])
        }
    }

    /// Stores a like at the current time.
    func like(_ post: PostID, by user: UserID) async throws {
        try await database.write { transaction in
            try transaction.execute(
                "INSERT INTO post_like (id, post_id, user_id) VALUES (?1, ?2, ?3)",
                [.integer(try transaction.nextID()), .post(post), .user(user)])
        }
    }
}

/// Runs `body` on a new, empty graph and removes the graph afterwards.
func withDiscovery(
    on engine: Engine = .ofTestRun, clock: AdjustableClock = AdjustableClock(),
    _ body: (DiscoveryFixture) async throws -> Void
) async throws {
    try await withGraphLocation(on: engine) { location in
        let fixture = try await onThread { try DiscoveryFixture(at: location, clock: clock) }
        try await closing(fixture.database) { try await body(fixture) }
    }
}
