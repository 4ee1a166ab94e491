import SocialGraph

/// What reading asks of the graph.
package protocol TimelineGraph: Sendable {
    func homeRun(of context: ViewerContext, below cursor: FeedPosition, limit: Int) async throws -> FeedRun
    func runs(of sources: [FeedSource], below cursor: FeedPosition, limit: Int) async throws -> [FeedRun]
    func run(ofAny sources: [FeedSource], below cursor: FeedPosition, limit: Int) async throws -> FeedRun
    func filteredRun(
        of context: ViewerContext, topics: [TopicID], below cursor: FeedPosition, budget: Int
    ) async throws -> FeedRun
    func run(
        of conditions: FeedConditions, below cursor: FeedPosition, limit: Int, budget: Int
    ) async throws -> FeedRun
    func latestPosition() async throws -> FeedPosition
    func authorFeed(
        of user: UserID, for viewer: UserID?, below cursor: FeedPosition?, limit: Int
    ) async throws -> [PostID]
    func posts(_ ids: [PostID]) async throws -> [Post]
    func viewerContext(of viewer: UserID) async throws -> ViewerContext
    func reshares(of post: PostID, limit: Int) async throws -> [Reshare]
    func firstReshare(of post: PostID, for context: ViewerContext) async throws -> Reshare?
    func fate(of post: PostID) async throws -> PostFate?
    func usernames(of users: [UserID]) async throws -> [UserID: String]
    func topics(_ kind: TopicKind, named names: [String]) async throws -> [TopicID?]
    func comments(
        of post: PostID, _ thread: CommentThread, below cursor: Int64?, limit: Int
    ) async throws -> [PostComment]
    func firstComments(of post: PostID, above cursor: Int64?, limit: Int) async throws -> [PostComment]
    func notificationGroups(
        of user: UserID, below cursor: Int64?, limit: Int, onlyUnread: Bool
    ) async throws -> [NotificationGroup]
    func notifications(of user: UserID, below cursor: Int64?, limit: Int) async throws -> [Notification]
    func likes(by user: UserID, below cursor: Int64?, limit: Int) async throws -> Page<Like, Int64>
    func saves(by user: UserID, below cursor: Int64?, limit: Int) async throws -> [SavedPost]
    func posts(
        in collection: CollectionID, of user: UserID, above cursor: Int64?, limit: Int
    ) async throws -> [CollectionEntry]
    func hubs() async throws -> [(user: UserID, phase: HubPhase)]
}

extension GraphStore: TimelineGraph {
    package func homeRun(of context: ViewerContext, below cursor: FeedPosition, limit: Int) async throws -> FeedRun {
        try await feeds.homeRun(of: context, below: cursor, limit: limit)
    }

    package func runs(of sources: [FeedSource], below cursor: FeedPosition, limit: Int) async throws -> [FeedRun] {
        try await feeds.runs(of: sources, below: cursor, limit: limit)
    }

    package func run(ofAny sources: [FeedSource], below cursor: FeedPosition, limit: Int) async throws -> FeedRun {
        try await feeds.run(ofAny: sources, below: cursor, limit: limit)
    }

    package func filteredRun(
        of context: ViewerContext, topics: [TopicID], below cursor: FeedPosition, budget: Int
    ) async throws -> FeedRun {
        try await feeds.filteredRun(of: context, topics: topics, below: cursor, budget: budget)
    }

    package func run(
        of conditions: FeedConditions, below cursor: FeedPosition, limit: Int, budget: Int
    ) async throws -> FeedRun {
        try await feeds.run(of: conditions, below: cursor, limit: limit, budget: budget)
    }

    package func latestPosition() async throws -> FeedPosition {
        try await feeds.latestPosition()
    }

    package func authorFeed(
        of user: UserID, for viewer: UserID?, below cursor: FeedPosition?, limit: Int
    ) async throws -> [PostID] {
        try await feeds.authorFeed(of: user, for: viewer, below: cursor, limit: limit)
    }

    package func posts(_ ids: [PostID]) async throws -> [Post] {
        try await posts.posts(ids)
    }

    package func viewerContext(of viewer: UserID) async throws -> ViewerContext {
        try await feeds.viewerContext(of: viewer)
    }

    package func reshares(of post: PostID, limit: Int) async throws -> [Reshare] {
        try await feeds.reshares(of: post, limit: limit)
    }

    package func firstReshare(of post: PostID, for context: ViewerContext) async throws -> Reshare? {
        try await feeds.firstReshare(of: post, for: context)
    }

    package func fate(of post: PostID) async throws -> PostFate? {
        try await feeds.fate(of: post)
    }

    package func usernames(of users: [UserID]) async throws -> [UserID: String] {
        try await feeds.usernames(of: users)
    }

    package func topics(_ kind: TopicKind, named names: [String]) async throws -> [TopicID?] {
        try await topics.topics(kind, named: names)
    }

    package func comments(
        of post: PostID, _ thread: CommentThread, below cursor: Int64?, limit: Int
    ) async throws -> [PostComment] {
        try await comments.comments(of: post, thread, below: cursor, limit: limit)
    }

    package func firstComments(of post: PostID, above cursor: Int64?, limit: Int) async throws -> [PostComment] {
        try await comments.firstComments(of: post, above: cursor, limit: limit)
    }

    package func notificationGroups(
        of user: UserID, below cursor: Int64?, limit: Int, onlyUnread: Bool
    ) async throws -> [NotificationGroup] {
        try await notifications.notificationGroups(of: user, below: cursor, limit: limit, onlyUnread: onlyUnread)
    }

    package func notifications(of user: UserID, below cursor: Int64?, limit: Int) async throws -> [Notification] {
        try await notifications.notifications(of: user, below: cursor, limit: limit)
    }

    package func likes(by user: UserID, below cursor: Int64?, limit: Int) async throws -> Page<Like, Int64> {
        try await likes.likes(by: user, below: cursor, limit: limit)
    }

    package func saves(by user: UserID, below cursor: Int64?, limit: Int) async throws -> [SavedPost] {
        try await saves.saves(by: user, below: cursor, limit: limit)
    }

    package func posts(
        in collection: CollectionID, of user: UserID, above cursor: Int64?, limit: Int
    ) async throws -> [CollectionEntry] {
        try await collections.posts(in: collection, of: user, above: cursor, limit: limit)
    }

    package func hubs() async throws -> [(user: UserID, phase: HubPhase)] {
        try await hubs.hubs()
    }
}
