import Logging
import Privacy
import ServiceLifecycle
import SocialGraph

/// Approves the follow requests that waited when their accounts were made public. Unfinished work is recorded in the
/// database, and the next run resumes it after the server has stopped or was killed.
package struct OpenedAccounts: Service {
    /// Period at which it looks for accounts that were made public.
    private static let interval = Duration.seconds(1)

    let graph: GraphStore
    let logger: Logger

    package init(graph: GraphStore, logger: Logger) {
        self.graph = graph
        self.logger = logger
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    for user in try await graph.followRequests.openedAccounts() { try await approve(user) }
                } catch is CancellationError {
                    return
                } catch {
                    logger.error("follow requests cannot be approved", metadata: ["error": "\(error)"])
                }
                try? await Task.sleep(for: Self.interval)
            }
        }
    }

    /// Approves in steps, between which the writer is free for others.
    private func approve(_ user: UserID) async throws {
        while !Task.isCancelled, try await graph.followRequests.approveWaiting(of: user) {}
    }
}
