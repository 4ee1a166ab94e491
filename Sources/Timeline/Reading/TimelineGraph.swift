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

extension GraphStore: TimelineGraph {}
