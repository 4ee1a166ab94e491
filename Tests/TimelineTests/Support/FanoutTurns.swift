import Database
import SocialGraph
import Synchronization
import TestSupport

@testable import Timeline

/// The turns of a node at the fan-out, with leases so short that tests need not wait long for those of a node that has
/// crashed. Groups of windows pass from node to node all the time.
final class FanoutTurns: Sendable {
    private let leases: LeaseStore
    private let hasCrashed = Mutex(false)
    /// The node's pause, in which it leaves the fan-out to others, and the number of its turns.
    private let state = Mutex((isPaused: false, turns: 0))
    private let groups: Int

    init(_ database: any GraphDatabase, groups: Int = 1) {
        leases = LeaseStore(database: database)
        self.groups = groups
    }

    /// From now on the node leaves its lease as a killed one does: to its end.
    func crash() { hasCrashed.withLock { $0 = true } }

    /// From now on the node ends its turns and takes no others, until ``resume()``.
    func pause() { state.withLock { $0.isPaused = true } }
    func resume() { state.withLock { $0.isPaused = false } }

    private var isPaused: Bool { state.withLock(\.isPaused) }
    /// True while the node does fan-out.
    var isAtWork: Bool { state.withLock { $0.turns > 0 } }

    var duties: [TimelineService.FanoutDuty] { (0..<groups).map(duty) }

    private func duty(of group: Int) -> TimelineService.FanoutDuty {
        { body in
            while !Task.isCancelled {
                do {
                    try await self.waitWhilePaused()
                    try await self.take(OutboxStore.lease(ofGroup: group, of: self.groups), body)
                } catch {
                    // Not for synchronisation: the pause between two attempts.
                    try? await Task.sleep(for: .milliseconds(50))
                }
            }
        }
    }

    private func waitWhilePaused() async throws {
        // Not for synchronisation: the pause between two polls.
        while isPaused { try await Task.sleep(for: .milliseconds(5)) }
    }

    private func take(
        _ name: String, _ body: @escaping @Sendable (HeldLease) async throws -> Void
    ) async throws {
        let lease = try await leases.take(
            name, from: .mayLive, terms: LeaseTerms(length: 5_000))
        let keeper = LeaseKeeper(lease: lease, logger: quiet)
        let mayWork = state.withLock { state in
            if !state.isPaused { state.turns += 1 }
            return !state.isPaused
        }
        guard mayWork else { return await keeper.release() }
        defer { state.withLock { $0.turns -= 1 } }
        let result: Result<Void, any Error>
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await keeper.run() }
                group.addTask { try await body(lease) }
                group.addTask {
                    // Not for synchronisation: the pause between two polls.
                    while !self.isPaused { try await Task.sleep(for: .milliseconds(5)) }
                }
                if groups > 1 {
                    // Not for synchronisation: the length of a turn.
                    group.addTask { try await Task.sleep(for: .milliseconds(.random(in: 2_000...10_000))) }
                }
                defer { group.cancelAll() }
                try await group.next()
            }
            result = .success(())
        } catch { result = .failure(error) }
        if !hasCrashed.withLock(\.self) { await keeper.release() }
        try result.get()
    }
}
