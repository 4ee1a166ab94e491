import Database
import Logging
import SocialGraph
import Synchronization

/// Acknowledges finished jobs in the outbox, in one transaction for all that have accumulated. It may lag behind. Jobs
/// not yet acknowledged when the process dies are repeated, without effect.
final class OutboxAcknowledger: Sendable {
    private struct State {
        var finished: [JobID] = []
        var progress: [JobID: AudienceCursor] = [:]
    }

    private let state = Mutex(State())
    private let graph: any FanoutGraph
    private let lease: HeldLease
    /// Brings caches up to date with the commits of other processes. A job that is gone from the outbox has to be
    /// visible to every reader.
    private let catchUp: @Sendable () async throws -> Void
    private let wakeup = Wakeup()
    private let logger: Logger

    init(
        graph: any FanoutGraph, lease: HeldLease, logger: Logger,
        catchUp: @escaping @Sendable () async throws -> Void = {}
    ) {
        self.catchUp = catchUp
        self.graph = graph
        self.lease = lease
        self.logger = logger
    }

    func finished(_ job: JobID) {
        state.withLock { state in
            state.finished.append(job)
            state.progress[job] = nil
        }
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
            await wakeup.wait(atMost: .seconds(1))
        }
        try await flush()
    }

    private func flush() async throws {
        guard lease.isHeld else { return }
        let (finished, progress) = state.withLock { state in
            defer { state = State() }
            return (state.finished, state.progress)
        }
        if finished.isEmpty && progress.isEmpty { return }
        do {
            try await catchUp()
            try await graph.acknowledgeJobs(
                leaseEpoch: lease.epoch, finished: finished, progressed: progress.map { ($0.key, $0.value) })
        } catch let error as LeaseLost {
            throw error
        } catch {
            logger.error("finished jobs cannot be removed from the outbox; will retry", metadata: ["error": "\(error)"])
            state.withLock { state in
                state.finished.append(contentsOf: finished)
                state.progress.merge(progress) { newer, _ in newer }
            }
            try? await Task.sleep(for: .milliseconds(100))
        }
    }
}
