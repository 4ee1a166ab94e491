import Synchronization

/// Consecutive numbers from 1.
package final class Counter: Sendable {
    private let last = Atomic(0)

    package init() {}

    package func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}
