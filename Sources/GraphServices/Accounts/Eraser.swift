import Logging
import ServiceLifecycle
import SocialGraph

/// Removes in the background what deleted accounts have left. What it has not come to when the server stops, or is
/// killed, stands in the database, and the next run goes on with it.
package struct Eraser: Service {
    /// How often it looks whether there is anything to erase, and whether what it waits for is done.
    private static let interval = Duration.milliseconds(500)

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

    /// Step by step: between two of them the writer is free for others.
    private func erase(_ user: UserID) async throws {
        while !Task.isCancelled, try await graph.erasures.eraseSome(of: user) == .removed {}
    }
}
