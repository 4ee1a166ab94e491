import Foundation

/// The wall clock.
package enum SystemClock {
    /// Milliseconds since 1970.
    package static func milliseconds() -> Int64 {
        Int64(Date().timeIntervalSince1970 * 1000)
    }
}
