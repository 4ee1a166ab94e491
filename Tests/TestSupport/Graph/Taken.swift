import Synchronization

/// Integers noted by a write, readable after it even if it has failed.
package final class Taken: Sendable {
    private let values = Mutex<[Int64]>([])

    package init() {}

    package func note(_ value: Int64) { values.withLock { $0.append(value) } }

    package var all: [Int64] { values.withLock { $0 } }
    package var last: Int64 { all.last ?? 0 }
}
