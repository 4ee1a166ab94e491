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

        var isEmpty: Bool { finished.isEmpty && closed.isEmpty && progress.isEmpty }
    }

    private let state = Mutex(State())
    private let graph: any FanoutGraph
    private let share: FanoutShare
    /// Brings caches up to date with the commits of other processes. A job that is gone from the outbox has to be
    /// visible to every reader, also if it was done as such a commit wanted it: a hub's post is in no window.
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

    func finished(_ job: JobID) {
        state.withLock { state in
            state.finished.append(job)
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
        try await flush(isLast: true)
    }

    /// - Parameter isLast: the task has been cancelled, after the last reader: a look would only be cancelled, too.
    private func flush(isLast: Bool = false) async throws {
        guard share.isHeld else { return await retryLater() }
        let due = state.withLock { state in
            defer { state = State() }
            return state
        }
        if due.isEmpty { return }
        do {
            if !due.finished.isEmpty, !isLast { try await catchUp() }
            try await graph.acknowledgeJobs(
                by: share.ofJobs, finished: due.finished, closed: due.closed,
                progressed: due.progress.map { ($0.key, $0.value) })
        } catch let error as LeaseLost {
            throw error
        } catch {
            if !(error is CancellationError) {
                logger.error(
                    "finished jobs cannot be removed from the outbox; will retry", metadata: ["error": "\(error)"])
            }
            state.withLock { state in
                state.finished.append(contentsOf: due.finished)
                state.closed.append(contentsOf: due.closed)
                state.progress.merge(due.progress) { newer, _ in newer }
            }
            await retryLater()
        }
    }

    private func retryLater() async {
        try? await Task.sleep(for: .milliseconds(100))
        wakeup.signal()
    }
}
