import SocialGraph

/// The graph queries of the caches.
package protocol CachedGraph: Sendable {
    /// The time at which mutes expire, in milliseconds since 1970.
    var expiryTime: Int64 { get }
    func posts(_ ids: [PostID]) async throws -> [Post]
    func viewerContext(of viewer: UserID) async throws -> ViewerContext
    func reshares(of posts: [PostID], limit: Int) async throws -> [[Reshare]]
    func firstReshare(of post: PostID, for context: ViewerContext) async throws -> Reshare?
    func slices(of sources: [FeedSource], below cursor: FeedPosition, limit: Int) async throws -> [FeedSlice]
    func topics(_ kind: TopicKind, named names: [String]) async throws -> [TopicID?]
    func hubs() async throws -> [(user: UserID, phase: HubPhase)]
}

extension GraphStore: CachedGraph {
    package func posts(_ ids: [PostID]) async throws -> [Post] { try await posts.posts(ids) }

    package func viewerContext(of viewer: UserID) async throws -> ViewerContext {
        try await feeds.viewerContext(of: viewer)
    }

    package func reshares(of posts: [PostID], limit: Int) async throws -> [[Reshare]] {
        try await feeds.reshares(of: posts, limit: limit)
    }

    package func firstReshare(of post: PostID, for context: ViewerContext) async throws -> Reshare? {
        try await feeds.firstReshare(of: post, for: context)
    }

    package func slices(of sources: [FeedSource], below cursor: FeedPosition, limit: Int) async throws -> [FeedSlice] {
        try await feeds.slices(of: sources, below: cursor, limit: limit)
    }

    package func topics(_ kind: TopicKind, named names: [String]) async throws -> [TopicID?] {
        try await topics.topics(kind, named: names)
    }

    package func hubs() async throws -> [(user: UserID, phase: HubPhase)] { try await hubs.hubs() }
}
