import Discovery
import Logging
import ServiceLifecycle

/// Computes related posts in the background. Recommendations use the result as far as it exists; a user's own acts
/// count without it.
struct NeighbourRefresher: Service {
    /// The least rest, and the rest as a multiple of the time that the work took. The work uses no more than a tenth of
    /// a processor.
    private static let rest = (least: Duration.seconds(30), factor: 9)

    let index: NeighbourIndex
    let logger: Logger
    /// Its own thread: on the cooperative pool it would delay requests.
    private let work = BoundedWork(label: "graphd.neighbours", concurrent: 1, waiting: 1)

    init(index: NeighbourIndex, logger: Logger) {
        self.index = index
        self.logger = logger
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            let clock = ContinuousClock()
            while !Task.isCancelled {
                let took = await clock.measure { await refresh() }
                try? await Task.sleep(for: max(Self.rest.least, took * Self.rest.factor))
            }
        }
    }

    private func refresh() async {
        do {
            try await index.refresh { [work] in try await work.run(for: .server, $0) }
        } catch is CancellationError {
            // The server is stopping.
        } catch {
            logger.error("neighbours of posts cannot be computed", metadata: [LogKeys.error: "\(error)"])
        }
    }
}
