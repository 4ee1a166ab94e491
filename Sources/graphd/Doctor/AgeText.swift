import Database

/// Lengths of time as people read them: `45 minutes`, `3 days`.
enum AgeText {
    /// Returns `milliseconds` in the largest unit of which there are at least two.
    static func text(_ milliseconds: Int64) -> String {
        for (name, length) in [
            ("days", Milliseconds.day), ("hours", Milliseconds.hour), ("minutes", Milliseconds.minute),
        ] {
            if milliseconds >= 2 * length { return "\(milliseconds / length) \(name)" }
        }
        let seconds = max(milliseconds, 0) / 1_000
        return seconds == 1 ? "1 second" : "\(seconds) seconds"
    }
}
