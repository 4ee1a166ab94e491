import Coordination
import Synchronization

/// Looks at leases, each of which serves all that have come before it: most duties of a node wait for leases that
/// others have.
package final class LeaseLooks: Sendable {
    private let leases: LeaseStore
    private let runs = SharedRuns()
    private let found = Mutex<[String: Lease]>([:])

    package init(_ leases: LeaseStore) { self.leases = leases }

    /// Returns the lease as it was after the call began; nil: there is none.
    package func lease(_ name: String) async throws -> Lease? {
        try await runs.join { [self] _ in
            let all = try await leases.all()
            found.withLock { $0 = all }
        }
        return found.withLock { $0[name] }
    }
}
