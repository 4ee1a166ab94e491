import Logging
import SocialGraph
import Synchronization

@testable import Timeline

/// Fan-out over a real graph and the test's redis-server, with the graph's answers within a test's reach.
struct FanoutFixture: Sendable {
    let graph: GraphStore
    let hooked: HookedGraph
    let windows: WindowFixture
    let runner: JobRunner
    let worker: OutboxWorker
    let settler: OutboxSettler
    let incarnation: Int64
    let progress: ProgressLog

    func user(_ name: String) async throws -> UserID {
        try await graph.createAccount(username: name, email: nil, passwordHash: nil).id
    }

    func build(_ viewers: [UserID]) async throws { for viewer in viewers { try await runner.builder.build(viewer) } }

    func has(_ post: PostID, _ viewer: UserID) async throws -> Bool {
        try await windows.members(viewer).contains(post.rawValue)
    }

    func jobs() async throws -> [OutboxJob] { try await graph.outboxJobs(above: nil, limit: 1_000) }

    /// Lets the worker empty the outbox.
    func workOff() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try? await worker.run() }
            group.addTask { await settler.run() }
            // Not for synchronisation: the pause between two looks.
            while try await graph.outboxDepth().pending > 0 { try await Task.sleep(for: .milliseconds(2)) }
            group.cancelAll()
        }
    }
}

/// How far fan-outs have come, call by call.
final class ProgressLog: Sendable {
    private let cursors = Mutex<[AudienceCursor]>([])
    var all: [AudienceCursor] { cursors.withLock { $0 } }
    func append(_ cursor: AudienceCursor) { cursors.withLock { $0.append(cursor) } }
}

/// The graph, with something of a test's done after a snapshot was read and before its reader goes on.
final class HookedGraph: FanoutGraph {
    typealias Hook = @Sendable (PostID, AudienceCursor) async throws -> Void
    let graph: GraphStore
    let beforeAudience = Mutex<Hook?>(nil)
    let afterAudience = Mutex<Hook?>(nil)

    init(_ graph: GraphStore) { self.graph = graph }

    func audience(of post: PostID, past cursor: AudienceCursor, limit: Int) async throws -> AudienceChunk {
        try await beforeAudience.withLock { $0 }?(post, cursor)
        let chunk = try await graph.audience(of: post, past: cursor, limit: limit)
        try await afterAudience.withLock { $0 }?(post, cursor)
        return chunk
    }

    func mergeable(of followee: UserID, into follower: UserID, limit: Int) async throws -> (
        follows: Bool, posts: [PostID]
    ) {
        try await graph.mergeable(of: followee, into: follower, limit: limit)
    }

    func unreachable(_ posts: [PostID], by viewer: UserID) async throws -> [PostID] {
        try await graph.unreachable(posts, by: viewer)
    }

    func homeFeed(of viewer: UserID, below cursor: PostID?, limit: Int) async throws -> [PostID] {
        try await graph.homeFeed(of: viewer, below: cursor, limit: limit)
    }

    func outboxJobs(above cursor: JobID?, limit: Int) async throws -> [OutboxJob] {
        try await graph.outboxJobs(above: cursor, limit: limit)
    }

    func settleOutbox(incarnation: Int64, finished: [JobID], progressed: [(JobID, AudienceCursor)]) async throws {
        try await graph.settleOutbox(incarnation: incarnation, finished: finished, progressed: progressed)
    }
}

func withFanout<T: Sendable>(_ body: @Sendable (FanoutFixture) async throws -> T) async throws -> T {
    try await withDataDirectory { directory in
        let graph = GraphStore(database: try SQLiteDatabase(path: directory + "/graph.db"))
        let incarnation = try await graph.leaseOutbox()
        return try await withWindows { windows async throws in
            let hooked = HookedGraph(graph)
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let (grace, locks, metrics, progress) = (GracePeriod(), ViewerLocks(), TimelineMetrics(), ProgressLog())
            let settler = OutboxSettler(graph: hooked, incarnation: incarnation, logger: logger)
            let runner = JobRunner(
                graph: hooked, windows: windows.writer, grace: grace, locks: locks, unsettled: UnsettledReaders(),
                builder: WindowBuilder(
                    graph: hooked, windows: windows.writer, grace: grace, locks: locks, metrics: metrics, logger: logger
                ),
                metrics: metrics, imported: { _ in },
                progressed: { job, cursor in
                    progress.append(cursor)
                    settler.progressed(job, cursor)
                })
            let worker = OutboxWorker(graph: hooked, runner: runner, settler: settler, wakeup: Wakeup(), logger: logger)
            return try await body(
                FanoutFixture(
                    graph: graph, hooked: hooked, windows: windows, runner: runner, worker: worker, settler: settler,
                    incarnation: incarnation, progress: progress))
        }
    }
}
