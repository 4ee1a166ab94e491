import Coordination
import Database
import Logging
import SocialGraph
import Synchronization
import TestSupport
import Timeline

@testable import Timeline

/// Fan-out over a real graph and the test's redis-server. The test can intercept the graph's answers.
struct FanoutFixture: Sendable {
    let graph: GraphStore
    let hooked: HookedGraph
    let windows: WindowFixture
    let runner: JobRunner
    let pushes: PushRunner
    let worker: OutboxWorker
    let acknowledger: OutboxAcknowledger
    let lease: HeldLease
    let progress: ProgressLog

    func user(_ name: String) async throws -> UserID {
        try await graph.accounts.createAccount(username: name, email: nil, passwordHash: nil).id
    }

    func build(_ viewers: [UserID]) async throws { try await runner.builder.build(viewers) }

    func has(_ post: PostID, _ viewer: UserID) async throws -> Bool {
        try await windows.members(viewer).contains(post.rawValue)
    }

    func entries(_ viewer: UserID) async throws -> [String] { try await windows.entries(viewer) }

    /// Removes `jobs`, which the test has run itself, from the outbox.
    func acknowledge(_ jobs: [OutboxJob]) async throws {
        try await graph.outbox.acknowledgeJobs(by: .outbox(lease.epoch), finished: jobs.map(\.id))
    }

    func jobs() async throws -> [OutboxJob] { try await graph.outbox.outboxJobs(above: nil, limit: 1_000) }

    /// Runs the worker until the outbox is empty.
    func workOff() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try? await worker.run() }
            group.addTask { try await acknowledger.run() }
            // Not for synchronisation: the pause between two polls.
            while try await graph.outbox.outboxDepth().pending > 0 { try await Task.sleep(for: .milliseconds(2)) }
            group.cancelAll()
        }
    }
}

/// The cursors that fan-outs have reached, call by call.
final class ProgressLog: Sendable {
    private let cursors = Mutex<[AudienceCursor]>([])
    var all: [AudienceCursor] { cursors.withLock { $0 } }
    func append(_ cursor: AudienceCursor) { cursors.withLock { $0.append(cursor) } }
}

/// The graph, with hooks of the test before a snapshot is read, and after it but before its reader continues.
final class HookedGraph: FanoutGraph {
    typealias Hook = @Sendable (OutboxJob.Work, AudienceCursor) async throws -> Void
    let graph: GraphStore
    let beforeAudience = Mutex<Hook?>(nil)
    let afterAudience = Mutex<Hook?>(nil)
    let afterJobs = Mutex<(@Sendable ([OutboxJob]) -> Void)?>(nil)
    let beforeEntries = Mutex<(@Sendable (UserID) async throws -> Void)?>(nil)
    let beforePositions = Mutex<(@Sendable ([UserID]) async throws -> Void)?>(nil)

    init(_ graph: GraphStore) { self.graph = graph }

    func audience(
        of work: OutboxJob.Work, past cursor: AudienceCursor, limit: Int
    ) async throws -> AudienceChunk {
        try await beforeAudience.withLock { $0 }?(work, cursor)
        let chunk = try await graph.audiences.audience(of: work, past: cursor, limit: limit)
        try await afterAudience.withLock { $0 }?(work, cursor)
        return chunk
    }

    func pushAudiences(
        of requests: [PushRequest], limit: Int, deliveries: Int, priority: PriorityRecipients?
    ) async throws -> [PushAudience] {
        for request in requests {
            let work = OutboxJob.Work.push(post: request.posts[0], author: request.author)
            try await beforeAudience.withLock { $0 }?(work, request.cursor)
        }
        let audiences = try await graph.audiences.pushAudiences(
            of: requests, limit: limit, deliveries: deliveries, priority: priority)
        for request in requests {
            let work = OutboxJob.Work.push(post: request.posts[0], author: request.author)
            try await afterAudience.withLock { $0 }?(work, request.cursor)
        }
        return audiences
    }

    func windowEntries(of viewers: [UserID], limit: Int) async throws -> [[FeedEntry]] {
        for viewer in viewers { try await beforeEntries.withLock { $0 }?(viewer) }
        return try await graph.feeds.windowEntries(of: viewers, limit: limit)
    }

    func windowPositions(of post: PostID, for viewers: [UserID]) async throws -> [FeedPosition?] {
        try await beforePositions.withLock { $0 }?(viewers)
        return try await graph.feeds.windowPositions(of: post, for: viewers)
    }

    func purgeLeftovers(of post: PostID, limit: Int) async throws -> Bool {
        try await graph.posts.purgeLeftovers(of: post, limit: limit)
    }

    func finishBackfill(of user: UserID, since: FeedPosition) async throws -> Bool {
        try await graph.hubs.finishBackfill(of: user, since: since)
    }

    func outboxJobs(above cursor: JobID?, limit: Int) async throws -> [OutboxJob] {
        let jobs = try await graph.outbox.outboxJobs(above: cursor, limit: limit)
        afterJobs.withLock { $0 }?(jobs)
        return jobs
    }

    func acknowledgeJobs(
        by share: GroupShare, finished: [JobID], closed: [JobID], progressed: [(JobID, AudienceCursor)]
    ) async throws {
        try await graph.outbox.acknowledgeJobs(by: share, finished: finished, closed: closed, progressed: progressed)
    }

    func progress(of jobs: [JobID]) async throws -> [JobID: JobProgress] {
        try await graph.outbox.progress(of: jobs).jobs
    }
}

extension FanoutFixture {
    /// Runs all steps of `job`, one after the other.
    func run(_ job: OutboxJob) async throws {
        if case .push = job.work { return try await push([job]) }
        var cursor = try await runner.step(job, at: job.progress, isFirst: true)
        while let next = cursor { cursor = try await runner.step(job, at: next, isFirst: false) }
    }

    /// Delivers the posts of `jobs`, all by one author, together.
    func push(_ jobs: [OutboxJob]) async throws {
        var turns = [AuthorQueues.Turn(jobs: jobs, cursor: jobs[0].progress)]
        while !turns.isEmpty {
            let batch = try await pushes.compose(turns)
            defer { pushes.release(batch) }
            try await pushes.deliver(batch)
            for (job, next) in batch.progress { runner.hasCome(job, to: next) }
            turns = batch.rest + batch.unused
        }
    }
}

/// Runs `body` with a fan-out.
///
/// - Parameter boot: the clock that ends the lease.
func withFanout<T: Sendable>(
    boot: @escaping @Sendable () -> Int64 = BootClock.milliseconds,
    _ body: @Sendable (FanoutFixture) async throws -> T
) async throws -> T {
    try await withGraphStore { graph in
        let lease = try await LeaseStore(database: graph.database).take(
            OutboxStore.lease, from: .isDead, terms: .lasting, boot: boot)
        return try await withWindows { windows async throws in
            let hooked = HookedGraph(graph)
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let (grace, locks, metrics, progress) = (GracePeriod(), ViewerLocks(), TimelineMetrics(), ProgressLog())
            let share = FanoutShare(all: lease, shards: 1)
            let acknowledger = OutboxAcknowledger(graph: hooked, share: share, logger: logger)
            let runner = JobRunner(
                graph: hooked, windows: windows.shards, grace: grace, pendingWrites: ReadersWithPendingWrites(),
                builder: WindowBuilder(
                    graph: hooked, windows: windows.shards, grace: grace, locks: locks, metrics: metrics, logger: logger
                ),
                metrics: metrics, imported: { _ in },
                progressed: { job, cursor in
                    progress.append(cursor)
                    acknowledger.progressed(job, cursor)
                }, share: share)
            let pushes = PushRunner(
                graph: hooked, windows: windows.shards, grace: grace, recent: RecentReaders(), metrics: metrics)
            let worker = OutboxWorker(
                graph: hooked, runner: runner, pushes: pushes, acknowledger: acknowledger,
                finales: JobFinales(
                    share, graph: hooked, runner: runner, acknowledger: acknowledger, logger: logger),
                share: share, announced: AnnouncedJobs(),
                logger: logger)
            return try await body(
                FanoutFixture(
                    graph: graph, hooked: hooked, windows: windows, runner: runner, pushes: pushes, worker: worker,
                    acknowledger: acknowledger, lease: lease, progress: progress))
        }
    }
}
