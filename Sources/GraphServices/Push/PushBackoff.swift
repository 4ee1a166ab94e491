/// The pauses between retries: each at least doubles, up to a longest one. A random part spreads the retries of
/// concurrent failures ("equal jitter": from half of the pause to all of it).
package struct PushBackoff: Sendable {
    /// The first pause, in milliseconds.
    package let first: Int64
    let factor: Int64
    package let longest: Int64
    package let attempts: Int
    /// A number in 0..<1.
    var random: @Sendable () -> Double = { Double.random(in: 0..<1) }

    /// Google asks for ten seconds at least.
    static let messages = PushBackoff(
        first: 10_000, factor: 2, longest: 3_600_000, attempts: 8)
    /// 5 s, 20 s, 80 s, 5 min, 21 min, 85 min, then 4 h, less a random part: most of a day until the last attempt, as
    /// Standard Webhooks advises.
    package static let webhooks = PushBackoff(
        first: 5_000, factor: 4, longest: 4 * 3_600_000, attempts: 10)

    /// 10 s, 20 s, 40 s and so on up to half an hour, until the mail expires.
    package static let mails = PushBackoff(first: 10_000, factor: 2, longest: 1_800_000, attempts: .max)

    /// 10 s, 40 s, 160 s and 640 s, less a random part, until an examination of a video is given up.
    package static let videos = PushBackoff(first: 10_000, factor: 4, longest: 1_800_000, attempts: 5)

    /// Milliseconds to wait after the `attempt`th attempt (1 …) has failed; nil after the last one.
    package func pause(after attempt: Int64) -> Int64? {
        guard attempt < attempts else { return nil }
        var pause = first
        for _ in 1..<max(attempt, 1) where pause < longest { pause *= factor }
        pause = min(pause, longest)
        return pause / 2 + Int64(Double(pause / 2) * random())
    }
}
