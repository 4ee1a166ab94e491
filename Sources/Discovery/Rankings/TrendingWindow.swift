import Database
import SocialGraph

/// The period of engagement behind a trending ranking.
package enum TrendingWindow: String, Sendable, CaseIterable {
    case hour = "1h"
    case day = "24h"
    case week = "7d"

    /// Length in milliseconds.
    var length: Int64 {
        switch self {
        case .hour: 60 * Milliseconds.minute
        case .day: Milliseconds.day
        case .week: 7 * Milliseconds.day
        }
    }

    /// Half-life in milliseconds: a quarter of the window. An act leaves the window at a sixteenth of its fresh worth,
    /// so no post jumps then.
    var halfLife: Int64 { length / 4 }
}
