import CoreMetrics
import Database
import GraphServices

/// Metrics of all nodes together, as the database knows them: each node tells the same.
struct DeploymentMetrics: Sendable {
    private let states: [(state: NodeRecord.State, meter: Meter)] = [.serving, .silent].map {
        (state: $0, meter: Meter(label: MetricNames.nodes, dimensions: [("state", $0.rawValue)]))
    }
    private let dutiesHeld = Meter(label: MetricNames.dutiesHeld)

    /// Sets the metrics. They keep their last values if the database does not answer.
    func read(_ database: any GraphDatabase) async throws {
        let records = try await NodeStore(database: database).records()
        let now = SystemClock.milliseconds()
        for (state, meter) in states { meter.set(records.count { $0.state(at: now) == state }) }
        dutiesHeld.set(records.filter { $0.state(at: now) == .serving }.map(\.duties.count).reduce(0, +))
        // Only a server has the metric.
        if let standbys = try await database.synchronousStandbys() {
            Meter(label: MetricNames.standbys).set(standbys)
        }
    }
}
