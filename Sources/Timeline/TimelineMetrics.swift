import CoreMetrics

/// Names of this module's metrics, and their handles.
package struct TimelineMetrics: Sendable {
    /// Entries added to existing windows.
    let deliveries = Counter(label: "graphd_deliveries_total")
    let rebuilds = Counter(label: "graphd_window_rebuilds_total")
    /// Pages whose first entries came from the window.
    let hits = Counter(label: "graphd_window_reads_total", dimensions: [("outcome", "hit")])
    /// Pages for readers without a window.
    let misses = Counter(label: "graphd_window_reads_total", dimensions: [("outcome", "miss")])
    /// Pages below the window's floor.
    let deep = Counter(label: "graphd_window_reads_total", dimensions: [("outcome", "deep")])
    /// Pages for readers with pending writes.
    let pendingWrites = Counter(label: "graphd_window_reads_total", dimensions: [("outcome", "unsettled")])
    /// Pages answered from SQLite because Redis was down or failed.
    let failed = Counter(label: "graphd_window_reads_total", dimensions: [("outcome", "unavailable")])
    /// Full tails folded beside deliveries, and as part of one.
    let foldsByQueue = Counter(label: "graphd_window_folds_total", dimensions: [("by", "queue")])
    let foldsByPush = Counter(label: "graphd_window_folds_total", dimensions: [("by", "push")])
    /// Windows audited, windows found wrong, and windows that would never have been evicted.
    let audited = Counter(label: "graphd_audit_windows_total")
    let drifted = Counter(label: "graphd_audit_drift_total")
    let orphaned = Counter(label: "graphd_audit_orphans_total")
    /// Home pages under a filter, by the source of their first entries.
    let filterHits = Counter(label: "graphd_filter_reads_total", dimensions: [("outcome", "hit")])
    let filterMisses = Counter(label: "graphd_filter_reads_total", dimensions: [("outcome", "miss")])

    package init() {}
}
