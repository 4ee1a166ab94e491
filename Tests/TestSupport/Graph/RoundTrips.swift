import Database
import SocialGraph
import Synchronization

/// A counter of round trips to a database.
package final class RoundTrips: Sendable {
    private let noted = Mutex(0)

    package init() {}

    package var count: Int { noted.withLock { $0 } }

    package func note() { noted.withLock { $0 += 1 } }
}

extension GraphScene {
    /// The number of round trips that `body` takes.
    package func roundTrips(_ body: (GraphStore) async throws -> Void) async throws -> Int {
        let trips = RoundTrips()
        try await body(GraphStore(database: CountedDatabase(graph.database) { trips.note() }))
        return trips.count
    }
}
