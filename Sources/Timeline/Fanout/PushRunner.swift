import Coordination
import CoreMetrics
import SocialGraph

/// Delivers posts, many at a time. A batch is composed from one snapshot of the graph and then delivered, while the
/// next one is composed. Under load many posts wait, so that a batch has many for the same window, and Redis looks up
/// that window once.
struct PushRunner: Sendable {
    /// Deliveries at which a batch takes no further part of an audience.
    static let deliveriesPerBatch = 65_536
    /// Members of an audience in a part of a batch of up to eight turns in a cluster, where a call is for one of 256
    /// buckets: sixteen for each.
    static let membersInBuckets = 4_096
    /// Maximum number of recent readers that a large fan-out serves first.
    static let earlyReaders = 1_000
    /// Followers from which a fan-out is large. Finding recent readers among them takes as long as pushing to some
    /// hundred windows, and a smaller audience is served completely in little more time.
    static let largeAudience: Int64 = 4_000

    let graph: any FanoutGraph
    let windows: WindowShards
    let grace: GracePeriod
    let recent: RecentReaders
    let metrics: TimelineMetrics

    /// Composed deliveries, and their effect on the progress of their jobs.
    struct Batch: Sendable {
        fileprivate let deliveries: ShardedBatch
        fileprivate let ticket: GracePeriod.Ticket
        /// The progress of the jobs once the batch is delivered. `next` is nil for jobs that are done.
        let progress: [(job: OutboxJob, next: AudienceCursor?)]
        /// Turns that continue in a later batch, in order.
        let rest: [AuthorQueues.Turn]
        /// Turns that did not fit, in order.
        let unused: ArraySlice<AuthorQueues.Turn>
    }

    /// Composes the next deliveries of `turns`. Removals wait for the batch until it is ``release(_:)``d.
    func compose(_ turns: [AuthorQueues.Turn]) async throws -> Batch {
        let ticket = grace.enter()
        do {
            let audiences = try await graph.pushAudiences(
                of: turns.map(\.request),
                limit: windows.keeper != nil && turns.count <= 8 ? Self.membersInBuckets : JobRunner.audienceChunk,
                deliveries: Self.deliveriesPerBatch, priority: priorityRecipients)
            var deliveries = windows.batch()
            var progress: [(job: OutboxJob, next: AudienceCursor?)] = []
            var rest: [AuthorQueues.Turn] = []
            for (turn, audience) in zip(turns, audiences) {
                deliveries.add(audience.posts.map { FeedEntry($0) }, to: audience.members)
                let apart = Set(audience.apart)
                for job in turn.jobs where !apart.contains(job.pushedPost) {
                    // A push of a post that is no longer live is done.
                    let isGoingOn = audience.posts.contains(job.pushedPost)
                    progress.append((job, isGoingOn ? audience.next : nil))
                }
                rest += turn.split(by: audience)
            }
            deliveries.arrange()
            return Batch(
                deliveries: deliveries, ticket: ticket, progress: progress, rest: rest,
                unused: turns[audiences.count...])
        } catch {
            grace.leave(ticket)
            throw error
        }
    }

    /// Delivers the batch. Returns when Redis has answered all of it, or when its windows no longer exist. May be
    /// repeated if it throws.
    func deliver(_ batch: Batch) async throws {
        metrics.deliveries.increment(by: try await windows.push(batch.deliveries))
    }

    /// Releases a batch that has been delivered, or never will be.
    func release(_ batch: Batch) { grace.leave(batch.ticket) }

    /// The recent readers whom a large fan-out serves before the rest of the audience.
    private var priorityRecipients: PriorityRecipients {
        PriorityRecipients(leastFollowers: Self.largeAudience) { [recent] in
            recent.latest(Self.earlyReaders)
        }
    }
}

extension OutboxJob {
    fileprivate var pushedPost: PostID {
        guard case .push(let post, _) = work else { preconditionFailure("only pushes are delivered in batches") }
        return post
    }
}

extension AuthorQueues.Turn {
    fileprivate var request: PushRequest {
        guard case .push(_, let author) = job.work else { preconditionFailure("only pushes are delivered in batches") }
        return PushRequest(posts: jobs.map(\.pushedPost), author: author, cursor: cursor)
    }

    /// Splits the rest of the turn into the posts that continue together and those that continue alone.
    fileprivate func split(by audience: PushAudience) -> [AuthorQueues.Turn] {
        var rest = audience.apart.compactMap { post -> AuthorQueues.Turn? in
            guard let job = jobs.first(where: { $0.pushedPost == post }) else { return nil }
            return AuthorQueues.Turn(jobs: [job], cursor: cursor, isFirst: true, isAlone: true)
        }
        let going = jobs.filter { audience.posts.contains($0.pushedPost) }
        if let next = audience.next, !going.isEmpty {
            rest.append(AuthorQueues.Turn(jobs: going, cursor: next, isFirst: false))
        }
        return rest
    }
}
