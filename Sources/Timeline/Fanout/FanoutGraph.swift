import SocialGraph

/// What fan-out asks of the graph. Each call is one snapshot.
package protocol FanoutGraph: Sendable {
    func audience(of post: PostID, past cursor: AudienceCursor, limit: Int) async throws -> AudienceChunk
    func mergeable(of followee: UserID, into follower: UserID, limit: Int) async throws -> (
        follows: Bool, posts: [PostID]
    )
    func unreachable(_ posts: [PostID], by viewer: UserID) async throws -> [PostID]
    func homeFeed(of viewer: UserID, below cursor: PostID?, limit: Int) async throws -> [PostID]
    func outboxJobs(above cursor: JobID?, limit: Int) async throws -> [OutboxJob]
    func settleOutbox(incarnation: Int64, finished: [JobID], progressed: [(JobID, AudienceCursor)]) async throws
}

extension GraphStore: FanoutGraph {}
