import CoreMetrics
import SocialGraph

/// Does one job of the outbox. Every step is idempotent: a job that is done again, in part or in whole, changes
/// nothing.
struct JobRunner: Sendable {
    let graph: any FanoutGraph
    let windows: WindowWriter
    let grace: GracePeriod
    let locks: ViewerLocks
    let unsettled: UnsettledReaders
    let builder: WindowBuilder
    let metrics: TimelineMetrics
    /// Told whose follows were written in bulk, perhaps by another process.
    let imported: @Sendable ([UserID]) -> Void
    /// Told how far a long fan-out has come.
    let progressed: @Sendable (JobID, AudienceCursor) -> Void

    func run(_ job: OutboxJob) async throws {
        switch job.work {
        case .push(let post, _): try await push(post, job)
        case .unpush(let post, _): try await unpush(post, job)
        case .edge(let follower, let followee): try await applyEdge(follower, followee)
        case .drop(let viewers): try await drop(viewers)
        case .build(let viewers): for viewer in viewers { try await builder.build(viewer) }
        }
        unsettled.settle(job)
    }

    private func push(_ post: PostID, _ job: OutboxJob) async throws {
        var cursor: AudienceCursor? = job.progress
        while let position = cursor {
            cursor = try await grace.during {
                let chunk = try await graph.audience(of: post, past: position, limit: TimelineLimits.audienceChunk)
                // Deleted meanwhile: the deletion has left an unpush of its own.
                guard chunk.isLive else { return nil }
                let delivered = try await windows.push([post], to: chunk.members)
                metrics.deliveries.increment(by: delivered)
                return chunk.next
            }
            unsettled.settle(job)
            if let cursor { progressed(job.id, cursor) }
        }
    }

    private func unpush(_ post: PostID, _ job: OutboxJob) async throws {
        // A push composed while the post was live may still be on its way.
        await grace.elapse()
        var cursor: AudienceCursor? = job.progress
        while let position = cursor {
            cursor = try await grace.during {
                let chunk = try await graph.audience(of: post, past: position, limit: TimelineLimits.audienceChunk)
                try await windows.remove([post], from: chunk.members)
                return chunk.next
            }
            if let cursor { progressed(job.id, cursor) }
        }
    }

    /// Merge or unmerge, whichever the graph says now: of several changes of one edge, the last job to run sees the
    /// last of them.
    private func applyEdge(_ follower: UserID, _ followee: UserID) async throws {
        try await locks.withLock(follower) {
            let isMerged = try await grace.during {
                let (follows, posts) = try await graph.mergeable(of: followee, into: follower, limit: windows.depth.cap)
                if follows {
                    try await windows.merge(posts, into: follower)
                    // A post that was deleted between an unfollow and this follow had nobody here in its audience.
                    try await sweep(follower)
                }
                return follows
            }
            if isMerged { return }
            // A push that still saw the follow may be on its way.
            await grace.elapse()
            try await grace.during { try await sweep(follower) }
        }
    }

    /// Takes out what `viewer` does not reach.
    private func sweep(_ viewer: UserID) async throws {
        guard let entries = try await windows.contents(of: viewer) else { return }
        try await windows.remove(graph.unreachable(entries, by: viewer), from: [viewer])
    }

    private func drop(_ viewers: [UserID]) async throws {
        // A build that has read the graph from before the import may be on its way.
        await grace.elapse()
        imported(viewers)
        try await windows.drop(viewers)
    }
}
