import CoreMetrics

/// Names of this module's metrics, and their handles.
package struct TimelineMetrics: Sendable {
    /// Entries added to windows that exist.
    let deliveries = Counter(label: "graphd_deliveries_total")
    let rebuilds = Counter(label: "graphd_window_rebuilds_total")
    /// Pages whose first entries came from the window.
    let hits = Counter(label: "graphd_window_reads_total", dimensions: [("outcome", "hit")])
    /// Pages for readers without a window.
    let misses = Counter(label: "graphd_window_reads_total", dimensions: [("outcome", "miss")])
    /// Pages below the window's floor.
    let deep = Counter(label: "graphd_window_reads_total", dimensions: [("outcome", "deep")])
    /// Pages for readers whose own acts had not reached their window.
    let unsettled = Counter(label: "graphd_window_reads_total", dimensions: [("outcome", "unsettled")])
    /// Pages answered from SQLite because Redis was down or failed.
    let failed = Counter(label: "graphd_window_reads_total", dimensions: [("outcome", "unavailable")])

    package init() {}
}
