import SocialGraph

/// What fan-out asks of the graph. Each call is one snapshot.
package protocol FanoutGraph: Sendable {
    func audience(of work: OutboxJob.Work, past cursor: AudienceCursor, limit: Int) async throws -> AudienceChunk
    func pushAudiences(
        of requests: [PushRequest], limit: Int, deliveries: Int, early: EarlyMembers?
    ) async throws -> [PushAudience]
    func windowEntries(of viewers: [UserID], limit: Int) async throws -> [[FeedEntry]]
    func windowPositions(of post: PostID, for viewers: [UserID]) async throws -> [FeedPosition?]
    func purgeLeftovers(of post: PostID, limit: Int) async throws -> Bool
    func finishLanding(of user: UserID, since: FeedPosition) async throws -> Bool
    func outboxJobs(above cursor: JobID?, limit: Int) async throws -> [OutboxJob]
    func settleOutbox(incarnation: Int64, finished: [JobID], progressed: [(JobID, AudienceCursor)]) async throws
}

extension GraphStore: FanoutGraph {}
