import Glibc
import SocialGraph

/// What engagement is worth: the more, the more effort it is and the further it carries the post. A like is a tap, a
/// comment takes time, a share brings the post before others. And the less, the longer ago it was: half after each
/// half-life, by the time of the act, not of the post. (Exponential decay of events: Cormode, Shkapenyuk, Srivastava &
/// Xu, ICDE 2009. Hacker News and Reddit decay by the age of the post, so that what comes back to life late cannot
/// rise.)
struct TrendingScore: Sendable {
    static let like = 1.0
    static let comment = 2.0
    static let share = 3.0

    let now: Int64
    let window: TrendingWindow

    /// Milliseconds since 1970: what was before does not count.
    var start: Int64 { now - window.length }

    /// Hours since 1970 that lie in the window, the first of them in part.
    var hours: ClosedRange<Int64> { start / Self.hour...now / Self.hour }

    private static let hour = EngagementClock.millisecondsPerHour

    /// Of an act at `time` (milliseconds since 1970).
    func worth(_ kind: EngagementAct.Kind, at time: Int64) -> Double {
        let worth =
            switch kind {
            case .like: Self.like
            case .comment: Self.comment
            case .reshare, .externalShare: Self.share
            }
        return worth * decay(time)
    }

    /// Of an hour, as if all of it had happened in the middle of what lies in the window: of an hour that the window
    /// cuts, the share that lies in it.
    func worth(_ hour: HourOfEngagement) -> Double {
        let (begin, end) = (max(hour.hour * Self.hour, start), min((hour.hour + 1) * Self.hour, now))
        let cut = hour.hour * Self.hour < start ? Double(end - begin) / Double(Self.hour) : 1
        let counts = hour.counts
        let worth =
            Double(max(counts.likes, 0)) * Self.like + Double(max(counts.comments, 0)) * Self.comment
            + Double(max(counts.shares, 0)) * Self.share
        return worth * cut * decay((begin + end) / 2)
    }

    private func decay(_ time: Int64) -> Double { exp2(-Double(max(now - time, 0)) / Double(window.halfLife)) }
}
