import Glibc
import SocialGraph

/// The worth of engagement. It grows with the effort of an act and with the reach it gives the post: a like is a tap, a
/// comment takes time, a share brings the post before others. It halves with each half-life, counted from the time of
/// the act and not of the post. (Exponential decay of events: Cormode, Shkapenyuk, Srivastava & Xu, ICDE 2009. Hacker
/// News and Reddit decay by the age of the post, so a post that revives late cannot rise.)
struct TrendingScore: Sendable {
    static let like = 1.0
    static let comment = 2.0
    static let share = 3.0

    let now: Int64
    let window: TrendingWindow

    /// Start of the window, in milliseconds since 1970; earlier acts do not count.
    var start: Int64 { now - window.length }

    /// Hours since 1970 in the window; the first may lie in it only in part.
    var hours: ClosedRange<Int64> { start / Self.hour...now / Self.hour }

    private static let hour = EngagementClock.millisecondsPerHour

    /// Returns the worth of an act at `time` (milliseconds since 1970).
    func worth(_ kind: EngagementAct.Kind, at time: Int64) -> Double {
        let worth =
            switch kind {
            case .like: Self.like
            case .comment: Self.comment
            case .reshare, .externalShare: Self.share
            }
        return worth * decay(time)
    }

    /// Returns the worth of an hour, as if all of it had happened in the middle of its part inside the window. If the
    /// window cuts the hour, only the share inside counts.
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
