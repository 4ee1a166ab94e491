import Database
import SocialGraph

/// How far back the engagement counts that trending ranks by.
package enum TrendingWindow: String, Sendable, CaseIterable {
    case hour = "1h"
    case day = "24h"
    case week = "7d"

    /// In milliseconds.
    var length: Int64 {
        switch self {
        case .hour: 60 * Milliseconds.minute
        case .day: Milliseconds.day
        case .week: 7 * Milliseconds.day
        }
    }

    /// In milliseconds: a quarter of the window, so that an act counts a sixteenth of a fresh one when it leaves the
    /// window, and no post jumps then.
    var halfLife: Int64 { length / 4 }
}
