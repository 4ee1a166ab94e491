import Coordination
import Logging
import SocialGraph

/// Finds out which of the jobs that readers wait for other nodes have done.
struct PendingWritesSettler: Sendable {
    /// The pause between two looks.
    static let pause = Duration.milliseconds(100)
    /// Jobs asked for at once.
    static let jobsAtOnce = 512

    let outbox: OutboxStore
    let pendingWrites: ReadersWithPendingWrites
    /// The generations of windows in which the jobs were done.
    let generations: FollowedGenerations
    let logger: Logger

    /// Runs until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            do {
                try await settle()
            } catch {
                logger.debug("jobs of other nodes cannot be read", metadata: ["error": "\(error)"])
            }
            if pendingWrites.count == 0 {
                await pendingWrites.added.wait()
            } else {
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    func settle() async throws {
        let asked = pendingWrites.awaited(limit: Self.jobsAtOnce)
        if asked.isEmpty { return }
        let found = try await outbox.progress(of: asked)
        // First, or readers would be led to windows in which the jobs were not done.
        try await generations.require(found.windows)
        pendingWrites.settle(asked, found.jobs)
    }
}
