import Coordination
import CoreMetrics
import SocialGraph

/// Runs the jobs of the outbox, except pushes, one step at a time, so that the worker can turn to another author in
/// between. Every step is idempotent: repeating a job, in part or in whole, changes nothing.
struct JobRunner: Sendable {
    /// Members of an audience read from SQLite at once: the content of a few calls, sent in one pipeline. In the
    /// current batches, each author's posts wait for one chunk of every other author.
    static let audienceChunk = 1_000
    /// Followers of a former hub author whose windows one step of its backfill handles.
    static let rebuildChunk = 128

    let graph: any FanoutGraph
    let windows: WindowShards
    let grace: GracePeriod
    let pendingWrites: ReadersWithPendingWrites
    let builder: WindowBuilder
    let metrics: TimelineMetrics
    /// Receives the readers whose follows were written in bulk, possibly by another process.
    let imported: @Sendable ([UserID]) -> Void
    /// Receives the jobs whose late arrivals or removals affect data derived from windows, so that it is checked again.
    let progressed: @Sendable (JobID, AudienceCursor) -> Void
    let share: FanoutShare

    /// Does the step of `job` that starts at `cursor`. Returns the start of the next step, or nil if the job is done.
    /// `isFirst` is true if this process has done no step of the job yet.
    func step(_ job: OutboxJob, at cursor: AudienceCursor, isFirst: Bool) async throws -> AudienceCursor? {
        let next: AudienceCursor? =
            switch job.work {
            case .push: preconditionFailure("pushes are delivered in batches")
            case .addReason(let entry, _): try await add(entry, job, cursor)
            case .remove(let post, _): try await remove(post, job, cursor, isFirst)
            case .removeReason(let entry, _): try await removeReason(entry, job, cursor, isFirst)
            case .rebuild(let viewer): try await rebuild(viewer)
            case .evict(let viewers): try await evict(viewers)
            case .evictAll: try await evictAll()
            case .build(let viewers): try await build(viewers)
            case .backfill: try await backfill(job, cursor, isFirst)
            case .rebuildFollowers: try await rebuildFollowers(job, cursor, isFirst)
            }
        hasCome(job, to: next)
        return next
    }

    /// Records Redis' answer to a step of the job. `next` is the start of the next step, or nil after the last.
    func hasCome(_ job: OutboxJob, to next: AudienceCursor?) {
        // The first step of a job handles the windows of its own author; all steps together handle those of its
        // followers.
        pendingWrites.markApplied(job, isDone: next == nil, in: share)
        // The cursor of several processes would be that of the last one.
        if let next, share.isWhole { progressed(job.id, next) }
    }

    /// Has the effect in the graph that a job has once it is done in all windows.
    func end(_ work: OutboxJob.Work) async throws {
        switch work {
        case .remove(let post, _): while try await graph.purgeLeftovers(of: post, limit: 1_000) {}
        case .backfill(let author, let since): _ = try await graph.finishBackfill(of: author, since: since)
        default: break
        }
    }

    private func add(_ entry: FeedEntry, _ job: OutboxJob, _ cursor: AudienceCursor) async throws -> AudienceCursor? {
        try await grace.during {
            let chunk = try await graph.audience(of: job.work, past: cursor, limit: Self.audienceChunk)
            // The act was undone meanwhile, and undoing it has left a job of its own.
            guard chunk.isLive else { return nil }
            metrics.deliveries.increment(by: try await windows.push([entry], to: chunk.members))
            return chunk.next
        }
    }

    private func remove(
        _ post: PostID, _ job: OutboxJob, _ cursor: AudienceCursor, _ isFirst: Bool
    ) async throws -> AudienceCursor? {
        // A push composed while the post was live may still be in flight.
        if isFirst { await grace.elapse() }
        let next = try await grace.during {
            let chunk = try await graph.audience(of: job.work, past: cursor, limit: Self.audienceChunk)
            try await windows.remove([post], from: chunk.members)
            return chunk.next
        }
        if next == nil, share.isWhole { try await end(job.work) }
        return next
    }

    /// Moves the post from the position of the removed reason to the position of its next reason. The windows concerned
    /// hold it at the former position, or would but for the floor.
    private func removeReason(
        _ entry: FeedEntry, _ job: OutboxJob, _ cursor: AudienceCursor, _ isFirst: Bool
    ) async throws -> AudienceCursor? {
        if isFirst { await grace.elapse() }
        return try await grace.during {
            let chunk = try await graph.audience(of: job.work, past: cursor, limit: Self.audienceChunk)
            let waiting = try await windows.retract(entry, from: chunk.members)
            // Asked after the retraction. A later reshare that was pushed before has left the post at its earlier
            // position, and is known by now. One that is pushed from here on finds the position free.
            let positions = try await graph.windowPositions(of: entry.post, for: waiting)
            var viewers: [FeedPosition: [UserID]] = [:]
            for case (let viewer, let position?) in zip(waiting, positions) {
                viewers[position, default: []].append(viewer)
            }
            for (position, viewers) in viewers {
                try await windows.push([FeedEntry(position: position, post: entry.post)], to: viewers)
            }
            return chunk.next
        }
    }

    /// Applies the reader's own changes (follows, muted reshares) from the current graph. After several changes the
    /// last job to run sees the last of them.
    private func rebuild(_ viewer: UserID) async throws -> AudienceCursor? {
        // A push composed before the change may be in flight.
        await grace.elapse()
        try await builder.rebuild([viewer])
        return nil
    }

    private func evict(_ viewers: [UserID]) async throws -> AudienceCursor? {
        // A build that has read the graph from before the import may be in flight.
        await grace.elapse()
        imported(viewers)
        try await windows.evict(viewers)
        return nil
    }

    private func evictAll() async throws -> AudienceCursor? {
        try await windows.evictAll()
        return nil
    }

    private func build(_ viewers: [UserID]) async throws -> AudienceCursor? {
        try await builder.build(viewers)
        return nil
    }

    /// Backfills windows after a hub author has become a pushed author again, as of the commit that left this job.
    /// Windows built before that commit lack the posts published by the hub author.
    private func backfill(
        _ job: OutboxJob, _ cursor: AudienceCursor, _ isFirst: Bool
    ) async throws -> AudienceCursor? {
        let next = try await rebuildFollowers(job, cursor, isFirst)
        if next == nil, share.isWhole { try await end(job.work) }
        return next
    }

    private func rebuildFollowers(
        _ job: OutboxJob, _ cursor: AudienceCursor, _ isFirst: Bool
    ) async throws -> AudienceCursor? {
        // Operations composed before the commit that left the job may be in flight.
        if isFirst { await grace.elapse() }
        let chunk = try await graph.audience(of: job.work, past: cursor, limit: Self.rebuildChunk)
        try await builder.rebuild(chunk.members)
        return chunk.next
    }
}
