import DequeModule

/// At most `count` acts in any span of `window`.
package struct Rate: Sendable, Equatable {
    package let count: Int
    let window: Duration

    /// - Precondition: both are positive.
    package init(_ count: Int, per window: Duration) {
        precondition(count > 0 && window > .zero, "a rate of nothing would refuse everything")
        self.count = count
        self.window = window
    }

    /// Returns the share of one of `nodes`: together they admit no more than this rate, or one act each.
    func share(of nodes: Int) -> Rate { nodes > 1 ? Rate(max(1, count / nodes), per: window) : self }

    package var nanoseconds: Int64 { Int64(window / .nanoseconds(1)) }
    package var seconds: Int64 { max(1, nanoseconds / 1_000_000_000) }
}

/// The result of asking for one act. Times are nanoseconds.
enum RateDecision: Sendable, Equatable {
    /// Admitted: `remaining` acts are left now, one more after `nextIn`.
    case allowed(remaining: Int, nextIn: Int64)
    case refused(retryIn: Int64)
}

/// One holder's acts within the window: the arithmetic of a rate, without clock, lock or store.
///
/// A log and not a bucket that refills: a bucket of 60 a minute admits a 61st after one second. The log has only the
/// acts that were admitted, at most `count` of the rate, and one run for all that came together.
struct RateLog: Sendable {
    private struct Run {
        let time: Int64
        /// At least 1.
        var acts: Int
    }

    private var runs: Deque<Run> = []

    /// Number of remembered acts.
    private(set) var count = 0

    /// Number of remembered runs (16 bytes each).
    var size: Int { runs.count }

    /// Admits so many acts, or none of them. More than the rate ever admits at once count as the whole rate.
    ///
    /// - Parameters:
    ///   - acts: number of acts, at least 1.
    ///   - now: nanoseconds of a clock that never goes back.
    mutating func admit(_ rate: Rate, acts: Int = 1, now: Int64) -> RateDecision {
        forget(before: now - rate.nanoseconds)
        let acts = min(acts, rate.count)
        // A rate may have become smaller.
        var missing = count + acts - rate.count
        guard missing <= 0 else {
            let last = runs.first { run in
                missing -= run.acts
                return missing <= 0
            }
            return .refused(retryIn: (last?.time ?? now) + rate.nanoseconds - now)
        }
        if runs.last?.time == now {
            runs[runs.count - 1].acts += acts
        } else {
            runs.append(Run(time: now, acts: acts))
        }
        count += acts
        return .allowed(remaining: rate.count - count, nextIn: runs[0].time + rate.nanoseconds - now)
    }

    /// Takes back one act that was admitted at `time`, if it is still remembered.
    mutating func takeBack(_ time: Int64) {
        guard let index = runs.lastIndex(where: { $0.time == time }) else { return }
        count -= 1
        runs[index].acts -= 1
        if runs[index].acts == 0 { runs.remove(at: index) }
    }

    private mutating func forget(before time: Int64) {
        while let oldest = runs.first, oldest.time <= time { count -= runs.removeFirst().acts }
    }
}
