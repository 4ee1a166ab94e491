import DequeModule
import SocialGraph
import Synchronization

/// Readers who have read a home timeline recently. A large fan-out serves them first.
package final class RecentReaders: Sendable {
    /// Maximum number of remembered readers.
    package static let defaultCapacity = 100_000

    fileprivate struct State {
        /// Readers in order of reading, the latest last. Older entries of a reader are skipped.
        var order: Deque<(reader: UserID, number: UInt64)> = []
        var numbers: [UserID: UInt64] = [:]
        var next: UInt64 = 0
    }

    private let state = Mutex(State())
    private let capacity: Int

    package init(capacity: Int = RecentReaders.defaultCapacity) { self.capacity = max(capacity, 1) }

    package func note(_ reader: UserID) {
        state.withLock { state in
            if let last = state.order.last, last.reader == reader { return }
            state.next += 1
            state.order.append((reader, state.next))
            state.numbers[reader] = state.next
            while state.numbers.count > capacity || state.order.count > capacity * 2 { state.forgetOldest() }
        }
    }

    /// Returns up to `count` readers, the latest first.
    package func latest(_ count: Int) -> [UserID] {
        state.withLock { state in
            var readers: [UserID] = []
            for entry in state.order.reversed() where readers.count < count {
                if state.numbers[entry.reader] == entry.number { readers.append(entry.reader) }
            }
            return readers
        }
    }
}

extension RecentReaders.State {
    fileprivate mutating func forgetOldest() {
        guard let oldest = order.popFirst() else { return }
        if numbers[oldest.reader] == oldest.number { numbers[oldest.reader] = nil }
    }
}
