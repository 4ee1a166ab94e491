import Database
import SocialGraph
import Synchronization
import TestSupport

@testable import Timeline

/// The turns of a node at the fan-out, with leases so short that tests need not wait for them. Groups of windows pass
/// from node to node all the time.
final class FanoutTurns: Sendable {
    private let leases: LeaseStore
    private let hasCrashed = Mutex(false)
    private let groups: Int

    init(_ database: any GraphDatabase, groups: Int = 1) {
        leases = LeaseStore(database: database)
        self.groups = groups
    }

    /// From now on the node leaves its lease as a killed one does: to its end.
    func crash() { hasCrashed.withLock { $0 = true } }

    var duties: [TimelineService.FanoutDuty] { (0..<groups).map(duty) }

    private func duty(of group: Int) -> TimelineService.FanoutDuty {
        { body in
            while !Task.isCancelled {
                do {
                    try await self.take(OutboxStore.lease(ofGroup: group, of: self.groups), body)
                } catch {
                    // Not for synchronisation: the pause between two attempts.
                    try? await Task.sleep(for: .milliseconds(50))
                }
            }
        }
    }

    private func take(
        _ name: String, _ body: @escaping @Sendable (HeldLease) async throws -> Void
    ) async throws {
        let lease = try await leases.take(
            name, from: .mayLive, terms: LeaseTerms(length: 1_000))
        let keeper = LeaseKeeper(lease: lease, logger: quiet)
        let result: Result<Void, any Error>
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await keeper.run() }
                group.addTask { try await body(lease) }
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
