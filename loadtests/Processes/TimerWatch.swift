import Foundation
import Histogram
import Synchronization

/// A thread that does nothing but wake up on a schedule, and records how late it is. A pause of the machine makes every
/// wake-up late that was due meanwhile.
final class TimerWatch: Sendable {
    private struct State {
        var isOver = false
        /// Microseconds.
        var late = Histogram<UInt64>(numberOfSignificantValueDigits: .three)
    }

    private static let interval = Duration.milliseconds(2)

    private let state = Mutex(State())

    init() {
        let thread = Thread { self.run() }
        thread.start()
    }

    /// Ends the thread. Returns the microseconds by which each wake-up was late.
    func end() -> Histogram<UInt64> {
        state.withLock {
            $0.isOver = true
            return $0.late
        }
    }

    private func run() {
        var due = ContinuousClock.now
        while true {
            due += Self.interval
            let wait = ContinuousClock.now.duration(to: due)
            if wait > .zero { Thread.sleep(forTimeInterval: wait / .seconds(1)) }
            let late = max(due.duration(to: .now), .zero)
            let isOver = state.withLock { state in
                if !state.isOver { state.late.record(UInt64(late / .microseconds(1))) }
                return state.isOver
            }
            if isOver { return }
        }
    }
}
