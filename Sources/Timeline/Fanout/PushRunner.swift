import CoreMetrics
import SocialGraph

/// Delivers posts, many at a time. A batch is composed from one snapshot of the graph and then delivered; the next one
/// is composed meanwhile. Under load many posts wait, so that a batch has many for the same window, which Redis then
/// looks up once.
struct PushRunner: Sendable {
    /// Deliveries at which a batch takes no further part of an audience.
    static let deliveriesPerBatch = 65_536
    /// Recent readers that a large fan-out serves before all others.
    static let earlyReaders = 1_000
    /// Followers that make a fan-out large. Finding recent readers among them takes as long as pushing to some hundred
    /// windows, and in a smaller audience everybody's turn comes right after.
    static let largeAudience: Int64 = 4_000

    let graph: any FanoutGraph
    let windows: WindowWriter
    let grace: GracePeriod
    let recent: RecentReaders
    let metrics: TimelineMetrics

    /// Deliveries that have been composed, and what they mean for the jobs that they come from.
    struct Batch: Sendable {
        fileprivate let deliveries: PushBatch
        fileprivate let ticket: GracePeriod.Ticket
        /// How far jobs have come once it is delivered; nil: they are done.
        let progress: [(job: OutboxJob, next: AudienceCursor?)]
        /// What goes on in a later batch, in order.
        let rest: [JobRotation.Turn]
        /// Turns for which there was no room, in order.
        let unused: ArraySlice<JobRotation.Turn>
    }

    /// Reads whom `turns` go to next. Until the batch is ``release(_:)``d, removals wait for it.
    func compose(_ turns: [JobRotation.Turn]) async throws -> Batch {
        let ticket = grace.enter()
        do {
            let audiences = try await graph.pushAudiences(
                of: turns.map(\.request), limit: JobRunner.audienceChunk,
                deliveries: Self.deliveriesPerBatch, early: readersServedFirst)
            var deliveries = PushBatch()
            var progress: [(job: OutboxJob, next: AudienceCursor?)] = []
            var rest: [JobRotation.Turn] = []
            for (turn, audience) in zip(turns, audiences) {
                deliveries.add(audience.posts.map { FeedEntry($0) }, to: audience.members)
                let apart = Set(audience.apart)
                for job in turn.jobs where !apart.contains(job.pushedPost) {
                    // What does not stand any more is done.
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

    /// Returns when Redis has answered all of it, or there are no such windows any more. May be repeated if it throws.
    func deliver(_ batch: Batch) async throws {
        metrics.deliveries.increment(by: try await windows.push(batch.deliveries))
    }

    /// It has been delivered, or never will be.
    func release(_ batch: Batch) { grace.leave(batch.ticket) }

    /// Of a large audience, whoever has been reading lately does not wait until their turn comes.
    private var readersServedFirst: EarlyMembers {
        EarlyMembers(leastFollowers: Self.largeAudience) { [recent] in
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

extension JobRotation.Turn {
    fileprivate var request: PushRequest {
        guard case .push(_, let author) = job.work else { preconditionFailure("only pushes are delivered in batches") }
        return PushRequest(posts: jobs.map(\.pushedPost), author: author, cursor: cursor)
    }

    /// What is left of the turn: the posts that go on together, and those that go by themselves.
    fileprivate func split(by audience: PushAudience) -> [JobRotation.Turn] {
        var rest = audience.apart.compactMap { post -> JobRotation.Turn? in
            guard let job = jobs.first(where: { $0.pushedPost == post }) else { return nil }
            return JobRotation.Turn(jobs: [job], cursor: cursor, isFirst: true, isAlone: true)
        }
        let going = jobs.filter { audience.posts.contains($0.pushedPost) }
        if let next = audience.next, !going.isEmpty {
            rest.append(JobRotation.Turn(jobs: going, cursor: next, isFirst: false))
        }
        return rest
    }
}
