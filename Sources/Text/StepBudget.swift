/// Counts the steps of a parser, and stops it beyond its limit or when nobody waits for the result any more.
package struct StepBudget {
    /// More steps were taken than an input of that size can need.
    package struct Exhausted: Error {}

    /// Steps between two checks for cancellation.
    private static let stepsUnwatched = 65_536

    package private(set) var taken = 0
    private var watched = Self.stepsUnwatched
    private let limit: Int
    private let isCancelled: () -> Bool

    /// - Parameter limit: steps; for a linear parser, a multiple of the input's bytes.
    package init(limit: Int, isCancelled: @escaping () -> Bool = { false }) {
        self.limit = limit
        self.isCancelled = isCancelled
    }

    /// - Throws: ``Exhausted``; `CancellationError` if the work was cancelled.
    package mutating func take(_ steps: Int = 1) throws {
        taken += steps
        guard taken <= limit else { throw Exhausted() }
        guard taken >= watched else { return }
        watched = taken + Self.stepsUnwatched
        if isCancelled() { throw CancellationError() }
    }
}
