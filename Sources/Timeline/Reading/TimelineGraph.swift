import SocialGraph

/// What reading asks of the graph.
package protocol TimelineGraph: Sendable {
    func homeFeed(of viewer: UserID, below cursor: PostID?, limit: Int) async throws -> [PostID]
    func authorFeed(of user: UserID, below cursor: PostID?, limit: Int) async throws -> [PostID]
    func posts(_ ids: [PostID]) async throws -> [Post]
    func followees(of user: UserID) async throws -> [UserID]
}

extension GraphStore: TimelineGraph {}
