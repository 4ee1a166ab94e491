import Discovery
import Logging
import ServiceLifecycle

/// Reads the embeddings into memory in the background and follows their changes. Until all are read, and if it fails,
/// searches compare with every stored vector.
struct SimilarIndexing: Service {
    private static let pause = Duration.seconds(1)

    let index: SimilarIndex
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await index.run()
                } catch is CancellationError {
                    return
                } catch {
                    logger.error("embeddings cannot be read", metadata: ["error": "\(error)"])
                }
                try? await Task.sleep(for: Self.pause)
            }
        }
    }
}
