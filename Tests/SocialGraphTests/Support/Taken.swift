import Synchronization

/// The integers that a write has noted, readable after it, also if it has failed.
final class Taken: Sendable {
    private let values = Mutex<[Int64]>([])

    func note(_ value: Int64) { values.withLock { $0.append(value) } }

    var all: [Int64] { values.withLock { $0 } }
    var last: Int64 { all.last ?? 0 }
}
