/// The number of rows that a scan of indexes may examine. A row counts when it is fetched, whether or not it matches.
/// Each step of a stream fetches at least once, so a scan that starts with a full budget makes progress.
package final class ScanBudget {
    package private(set) var examined = 0
    private let limit: Int

    /// - Parameter limit: rows.
    package init(_ limit: Int) { self.limit = limit }

    package var left: Int { max(limit - examined, 0) }
    package var isSpent: Bool { examined >= limit }

    package func spend(_ rows: Int) { examined += rows }
}

/// The scan has used up its budget. Nothing at or above `place` is left to be found.
package struct ScanBudgetSpent: Error {
    package let place: Int64

    package init(place: Int64) { self.place = place }
}
