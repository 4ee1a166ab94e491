import Logging
import ServiceLifecycle
import SocialGraph

/// Removes the data of deleted accounts in the background. Unfinished work is recorded in the database, and the next
/// run resumes it after the server has stopped or was killed.
package struct Eraser: Service {
    /// Period at which it looks for accounts to erase, and for the end of the work that it waits for.
    private static let interval = Duration.seconds(1)

    package let graph: GraphStore
    package let logger: Logger

    package init(graph: GraphStore, logger: Logger) {
        self.graph = graph
        self.logger = logger
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    for user in try await graph.erasures.erasures() { try await erase(user) }
                } catch is CancellationError {
                    return
                } catch {
                    logger.error("an account cannot be erased", metadata: ["error": "\(error)"])
                }
                try? await Task.sleep(for: Self.interval)
            }
        }
    }

    /// Erases in steps, between which the writer is free for others.
    private func erase(_ user: UserID) async throws {
        while !Task.isCancelled, try await graph.erasures.eraseSome(of: user) == .removed {}
    }
}
