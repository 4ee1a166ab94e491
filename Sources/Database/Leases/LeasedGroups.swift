import Coordination
import Synchronization

/// Work that is divided into groups, of which each node does those whose leases it has: as one piece of work, which
/// begins anew whenever its groups change.
package final class LeasedGroups: Sendable {
    /// Work for the groups whose leases it gets, at least one.
    package typealias Work = @Sendable (_ leases: [Int: HeldLease]) async throws -> Void

    /// The time of a node with the lease of a group.
    private struct Turn {
        let lease: HeldLease
        /// Ends with the error that has ended the work.
        let failure: AsyncThrowingStream<Never, any Error>.Continuation
    }

    private struct State {
        var turns: [Int: Turn] = [:]
        /// The epochs of the leases of the work that is running, by group.
        var inUse: [Int: Int64] = [:]
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// The pause after a change, in which others may come: leases of a node that has died end together.
    private static let pause = Duration.milliseconds(50)

    private let state = Mutex(State())
    private let changed = Wakeup()

    package init() {}

    /// Has the work include `group` until the task is cancelled. Returns when it no longer does.
    ///
    /// - Throws: the error that has ended the work.
    package func serve(_ group: Int, under lease: HeldLease) async throws {
        let (failures, failure) = AsyncThrowingStream<Never, any Error>.makeStream()
        state.withLock { $0.turns[group] = Turn(lease: lease, failure: failure) }
        changed.signal()
        let end: Result<Void, any Error>
        do {
            for try await _ in failures {}
            end = .success(())
        } catch { end = .failure(error) }
        state.withLock { state in
            if state.turns[group]?.lease === lease { state.turns[group] = nil }
        }
        changed.signal()
        // Owner: this function, which waits even if its task is cancelled: the lease is given up afterwards.
        await Task { await self.waitUntilUnused(group, lease.epoch) }.value
        try end.get()
    }

    private func waitUntilUnused(_ group: Int, _ epoch: Int64) async {
        while state.withLock({ $0.inUse[group] == epoch }) {
            await withCheckedContinuation { waiter in
                let isOver = state.withLock { state in
                    if state.inUse[group] == epoch { state.waiting.append(waiter) }
                    return state.inUse[group] != epoch
                }
                if isOver { waiter.resume() }
            }
        }
    }

    /// Runs `work` for the groups of the node, as long as they stay the same, until the task is cancelled.
    package func run(_ work: @escaping Work) async {
        while !Task.isCancelled {
            let leases = begin()
            if leases.isEmpty {
                await changed.wait()
                continue
            }
            let failure = await run(work, for: leases)
            end(failure)
            if failure == nil { try? await Task.sleep(for: Self.pause) }
        }
    }

    /// Returns the error that has ended the work; nil: the groups have changed, or the task is cancelled.
    private func run(_ work: @escaping Work, for leases: [Int: HeldLease]) async -> (any Error)? {
        await withTaskGroup(of: (any Error)?.self) { group in
            group.addTask {
                do { try await work(leases) } catch { return Task.isCancelled ? nil : error }
                return Task.isCancelled ? nil : WorkEnded()
            }
            group.addTask {
                while !Task.isCancelled, self.isPresent(leases) { await self.changed.wait() }
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            await group.waitForAll()
            return first
        }
    }

    private func isPresent(_ leases: [Int: HeldLease]) -> Bool {
        state.withLock { state in
            state.turns.count == leases.count && state.turns.allSatisfy { leases[$0]?.epoch == $1.lease.epoch }
        }
    }

    /// Returns the leases of work that begins.
    private func begin() -> [Int: HeldLease] {
        state.withLock { state in
            state.inUse = state.turns.mapValues(\.lease.epoch)
            return state.turns.mapValues(\.lease)
        }
    }

    /// Notes that the work is over. After a failure each of its leases is given up, so that another node can try.
    private func end(_ failure: (any Error)?) {
        let (failed, waiting) = state.withLock { state in
            defer { (state.inUse, state.waiting) = ([:], []) }
            guard failure != nil else { return ([Turn](), state.waiting) }
            let failed = state.turns.filter { state.inUse[$0] == $1.lease.epoch }
            for group in failed.keys { state.turns[group] = nil }
            return (Array(failed.values), state.waiting)
        }
        for turn in failed { turn.failure.finish(throwing: failure) }
        for waiter in waiting { waiter.resume() }
    }
}

/// Work has ended by itself.
private struct WorkEnded: Error {}
