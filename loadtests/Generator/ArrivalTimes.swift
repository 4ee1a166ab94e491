import Foundation
import NIOCore

/// The times at which requests are to be sent, measured from the start.
struct ArrivalTimes {
    private enum Source {
        case poisson(perSecond: Double, SeededGenerator)
        case times([Double])
    }

    private var source: Source
    private var seconds = 0.0
    private var taken = 0

    /// Nil if requests follow answers.
    init?(_ pace: Pace, seed: UInt64) {
        switch pace {
        case .open(let rate): source = .poisson(perSecond: rate, SeededGenerator(seed: seed))
        case .replay(let times): source = .times(times)
        case .closed: return nil
        }
    }

    /// Returns the next time; nil if there are no more.
    mutating func next() -> TimeAmount? {
        switch source {
        case .poisson(let rate, var generator):
            seconds -= log(1 - Double.random(in: 0..<1, using: &generator)) / rate
            source = .poisson(perSecond: rate, generator)
        case .times(let times):
            guard taken < times.count else { return nil }
            seconds = times[taken]
            taken += 1
        }
        return .nanoseconds(Int64(seconds * 1e9))
    }
}
