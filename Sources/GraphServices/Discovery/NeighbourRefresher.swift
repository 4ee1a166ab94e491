import Discovery
import Logging
import ServiceLifecycle

/// Works out in the background which posts go together. Recommendations take from it what there is; what a user does
/// counts without it.
struct NeighbourRefresher: Service {
    /// How long it rests at least, and how many times as long as the work has taken: so it takes no more than a tenth
    /// of a processor.
    private static let rest = (least: Duration.seconds(30), factor: 9)

    let index: NeighbourIndex
    let logger: Logger
    /// A thread of its own: on the cooperative pool it would keep requests waiting.
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
            // The server stops.
        } catch {
            logger.error("neighbours of posts cannot be worked out", metadata: [LogKeys.error: "\(error)"])
        }
    }
}
