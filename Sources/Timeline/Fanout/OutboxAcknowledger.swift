import Coordination
import Database
import Logging
import SocialGraph
import Synchronization

/// Acknowledges finished jobs in the outbox, in one transaction for all that have accumulated. It may lag behind. Jobs
/// not yet acknowledged when the process dies are repeated, without effect.
final class OutboxAcknowledger: Sendable {
    private struct State {
        var finished: [JobID] = []
        /// Jobs that are done in all windows, and have had their effect in the graph.
        var closed: [JobID] = []
        var progress: [JobID: AudienceCursor] = [:]
        /// True if a finished job may be of another process.
        var isForeign = false

        var isEmpty: Bool { finished.isEmpty && closed.isEmpty && progress.isEmpty }
    }

    private let state = Mutex(State())
    /// Jobs under way that may be of other processes.
    private let foreign = Mutex<Set<JobID>>([])
    private let graph: any FanoutGraph
    private let share: FanoutShare
    /// Brings caches up to date with the commits of other processes. A job that is gone from the outbox has to be
    /// visible to every reader. The commits of this process are, before its jobs are announced.
    private let catchUp: @Sendable () async throws -> Void
    private let wakeup = Wakeup(pace: .milliseconds(20))
    private let logger: Logger

    init(
        graph: any FanoutGraph, share: FanoutShare, logger: Logger,
        catchUp: @escaping @Sendable () async throws -> Void = {}
    ) {
        self.catchUp = catchUp
        self.graph = graph
        self.share = share
        self.logger = logger
    }

    /// Notes jobs that were read from the outbox rather than announced by a commit of this process.
    func expect(foreign jobs: [OutboxJob]) {
        if !jobs.isEmpty { foreign.withLock { $0.formUnion(jobs.map(\.id)) } }
    }

    func finished(_ job: JobID) {
        let isForeign = foreign.withLock { !$0.isEmpty && $0.remove(job) != nil }
        state.withLock { state in
            state.finished.append(job)
            if isForeign { state.isForeign = true }
            state.progress[job] = nil
        }
        wakeup.signal()
    }

    func closed(_ job: JobID) {
        state.withLock { $0.closed.append(job) }
        wakeup.signal()
    }

    func progressed(_ job: JobID, _ cursor: AudienceCursor) {
        state.withLock { $0.progress[job] = cursor }
        wakeup.signal()
    }

    /// Runs until the task is cancelled, and writes the rest before it returns.
    ///
    /// - Throws: `LeaseLost`.
    func run() async throws {
        while !Task.isCancelled {
            try await flush()
            await wakeup.wait()
        }
        try await flush()
    }

    private func flush() async throws {
        guard share.isHeld else { return await retryLater() }
        let due = state.withLock { state in
            defer { state = State() }
            return state
        }
        if due.isEmpty { return }
        do {
            if due.isForeign { try await catchUp() }
            try await graph.acknowledgeJobs(
                by: share.ofJobs, finished: due.finished, closed: due.closed,
                progressed: due.progress.map { ($0.key, $0.value) })
        } catch let error as LeaseLost {
            throw error
        } catch {
            logger.error("finished jobs cannot be removed from the outbox; will retry", metadata: ["error": "\(error)"])
            state.withLock { state in
                state.finished.append(contentsOf: due.finished)
                state.closed.append(contentsOf: due.closed)
                state.progress.merge(due.progress) { newer, _ in newer }
                if due.isForeign { state.isForeign = true }
            }
            await retryLater()
        }
    }

    private func retryLater() async {
        try? await Task.sleep(for: .milliseconds(100))
        wakeup.signal()
    }
}
