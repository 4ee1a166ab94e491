import Coordination
import Database
import Logging
import SocialGraph
import Synchronization

/// Follows the change log for the commits of others: of other nodes, or of an import that runs beside the server.
/// Commits of this process reach the caches directly.
///
/// ``catchUp()`` is a read index: after it, everything that was committed before the call is known. One look at the
/// log, sent after the last caller has come, serves all who wait. (Raft's ReadIndex: Ongaro, "Consensus: Bridging
/// Theory and Practice", 2014, section 6.4.)
final class ChangeFollower: Sendable {
    private struct State {
        /// The place in the log up to which everything is known.
        var known: Int64
        /// The place from which on the known list of hub authors holds.
        var hubs: Int64
        /// The job up to which those of others are known.
        var job: JobID
    }

    /// The receivers of what others commit.
    struct Receivers: Sendable {
        /// The generations of windows, which are brought up to date before the news of a moment; nil: nobody needs
        /// them, nor the jobs of others.
        var generations: FollowedGenerations?
        var news: @Sendable (LogNews) -> Void
    }

    /// The longest pause between two looks that nobody waits for.
    private static let pause = Duration.milliseconds(100)

    private let state: Mutex<State>
    private let runs = SharedRuns()
    private let graph: GraphStore
    private let receivers: Receivers
    private let logger: Logger

    /// - Parameters:
    ///   - known: the place up to which the log has been applied.
    ///   - job: the last job that is known.
    init(
        graph: GraphStore, known: Int64, jobsAbove job: JobID = JobID(rawValue: 0), logger: Logger,
        receivers: Receivers
    ) {
        self.graph = graph
        self.receivers = receivers
        self.logger = logger
        state = Mutex(State(known: known, hubs: known, job: job))
    }

    /// The place up to which the list of hub authors is known to hold.
    var known: Int64 { state.withLock(\.known) }

    /// The place of the latest change that may concern the list of hub authors.
    var hubs: Int64 { state.withLock(\.hubs) }

    /// Notes a commit of this process. After one by somebody else, it is read from the log with that one.
    func noteOwn(_ record: CommitRecord) {
        guard let sequence = record.sequence else { return }
        state.withLock { state in
            if sequence.lowerBound == state.known + 1 { state.known = sequence.upperBound }
            if record.changes.contains(where: \.concernsHubs) { state.hubs = max(state.hubs, sequence.upperBound) }
        }
    }

    /// Runs until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            do {
                try await catchUp()
            } catch is CancellationError {
                return
            } catch {
                logger.error("change log cannot be read", metadata: ["error": "\(error)"])
            }
            // Without other nodes only commands write beside this process.
            let isAlone = receivers.generations == nil
            if isAlone { try? await Task.sleep(for: Self.pause) }
            if !isAlone { await graph.database.awaitOthers(atMost: Self.pause) }
        }
    }

    /// True if nobody waits for a look.
    var isIdle: Bool { runs.isIdle }

    /// Returns when everything committed before the call has been applied.
    func catchUp() async throws { try await runs.join { try await self.applyNewer(isAlone: $0) } }

    private func applyNewer(isAlone: Bool) async throws {
        let generations = receivers.generations
        let look = try await graph.database.look(followingWindows: generations != nil, isAlone: isAlone)
        try await generations?.require(look.windows)
        var isBehind = look.latest > known
        while isBehind {
            let (known, job) = state.withLock { ($0.known, $0.job) }
            let news = try await graph.changes.news(past: known, jobsAbove: generations.map { _ in job })
            // A job that is gone was done in the windows of the generation of that moment.
            try await generations?.require(news.windows)
            receivers.news(news)
            note(news)
            isBehind = news.upTo < look.latest || news.jobs.count == ChangeStore.newsAtOnce
        }
    }

    private func note(_ news: LogNews) {
        state.withLock { state in
            state.known = max(state.known, news.upTo)
            if news.groups.changes.contains(where: \.concernsHubs) { state.hubs = max(state.hubs, news.upTo) }
            if let last = news.jobs.last { state.job = max(state.job, last.id) }
        }
    }
}

extension GraphChange {
    /// True if the list of hub authors may have changed.
    fileprivate var concernsHubs: Bool {
        switch self {
        case .hubChanged, .graphImported, .unknown: true
        default: false
        }
    }
}
