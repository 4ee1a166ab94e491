import Database
import SocialGraph

/// The graph queries of fan-out. Each call is one snapshot.
package protocol FanoutGraph: Sendable {
    func audience(of work: OutboxJob.Work, past cursor: AudienceCursor, limit: Int) async throws -> AudienceChunk
    func pushAudiences(
        of requests: [PushRequest], limit: Int, deliveries: Int, priority: PriorityRecipients?
    ) async throws -> [PushAudience]
    func windowEntries(of viewers: [UserID], limit: Int) async throws -> [[FeedEntry]]
    func windowPositions(of post: PostID, for viewers: [UserID]) async throws -> [FeedPosition?]
    func purgeLeftovers(of post: PostID, limit: Int) async throws -> Bool
    func finishBackfill(of user: UserID, since: FeedPosition) async throws -> Bool
    func outboxJobs(above cursor: JobID?, limit: Int) async throws -> [OutboxJob]
    func acknowledgeJobs(
        by share: GroupShare, finished: [JobID], closed: [JobID], progressed: [(JobID, AudienceCursor)]
    ) async throws
    func progress(of jobs: [JobID]) async throws -> [JobID: JobProgress]
}

extension GraphStore: FanoutGraph {
    package func audience(of work: OutboxJob.Work, past cursor: AudienceCursor, limit: Int) async throws
        -> AudienceChunk
    {
        try await audiences.audience(of: work, past: cursor, limit: limit)
    }

    package func pushAudiences(
        of requests: [PushRequest], limit: Int, deliveries: Int, priority: PriorityRecipients?
    ) async throws -> [PushAudience] {
        try await audiences.pushAudiences(of: requests, limit: limit, deliveries: deliveries, priority: priority)
    }

    package func windowEntries(of viewers: [UserID], limit: Int) async throws -> [[FeedEntry]] {
        try await feeds.windowEntries(of: viewers, limit: limit)
    }

    package func windowPositions(of post: PostID, for viewers: [UserID]) async throws -> [FeedPosition?] {
        try await feeds.windowPositions(of: post, for: viewers)
    }

    package func purgeLeftovers(of post: PostID, limit: Int) async throws -> Bool {
        try await posts.purgeLeftovers(of: post, limit: limit)
    }

    package func finishBackfill(of user: UserID, since: FeedPosition) async throws -> Bool {
        try await hubs.finishBackfill(of: user, since: since)
    }

    package func outboxJobs(above cursor: JobID?, limit: Int) async throws -> [OutboxJob] {
        try await outbox.outboxJobs(above: cursor, limit: limit)
    }

    package func acknowledgeJobs(
        by share: GroupShare, finished: [JobID], closed: [JobID], progressed: [(JobID, AudienceCursor)]
    ) async throws {
        try await outbox.acknowledgeJobs(by: share, finished: finished, closed: closed, progressed: progressed)
    }

    package func progress(of jobs: [JobID]) async throws -> [JobID: JobProgress] {
        try await outbox.progress(of: jobs).jobs
    }
}
