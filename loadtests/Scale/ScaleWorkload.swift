/// The acts of the users of a simulated network.
package struct ScaleWorkload: Sendable, Codable, Equatable {
    /// Seed of who has a window and when accounts were created.
    package var seed: UInt64 = 1
    /// Posts a day of all users together.
    package var postsPerDay = 200_000.0
    /// Busiest second of a day, as a multiple of the mean.
    package var peakFactor = 5.0
    /// Share of the users who read within 30 days, and so have windows.
    package var activeShare = 0.5
    /// Share of the users who read on a day, and pages that each of them reads.
    package var dailyShare = 0.2
    package var pagesPerReader = 40.0
    /// Users post in proportion to followers^popularity: 0 is evenly.
    package var popularity = 1.0
    /// Authors with more followers are pulled; 0 means none.
    package var hubThreshold = 10_000.0
    /// Entries of a full window.
    package var windowCap = 128.0
    /// Days of posts that are stored, and from which windows are built.
    package var historyDays = 365.0

    package init() {}

    static let secondsPerDay = 86_400.0

    func isHub(followers: Double) -> Bool { hubThreshold > 0 && followers > hubThreshold }
}
