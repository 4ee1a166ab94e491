import Logging

/// Renews a lease while the server runs, and releases it at the end.
package struct LeaseKeeper: Sendable {
    package let lease: HeldLease
    let logger: Logger

    package init(lease: HeldLease, logger: Logger) {
        self.lease = lease
        self.logger = logger
    }

    /// Runs until the task is cancelled. A failed renewal is repeated each second.
    ///
    /// - Throws: `LeaseLost`.
    package func run() async throws {
        while !Task.isCancelled {
            try? await Task.sleep(for: max(lease.untilRenewal, .milliseconds(1)))
            if Task.isCancelled { return }
            do {
                try await lease.renew()
            } catch let error as LeaseLost {
                logger.critical("another server has taken over", metadata: ["error": "\(error)"])
                throw error
            } catch {
                logger.error(
                    "lease cannot be renewed; will retry",
                    metadata: ["error": "\(error)", "held": "\(lease.isHeld)"])
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    /// Releases the lease. Otherwise the next server has to wait until the lease expires.
    package func release() async {
        do {
            try await lease.release()
        } catch {
            logger.warning("lease cannot be released", metadata: ["error": "\(error)"])
        }
    }
}
