import SocialGraph

/// A user's progress in a video, over all viewings.
package struct Watch: Sendable, Equatable {
    /// Id of the last viewing: its time, and its position in the user's list.
    package let id: Int64
    package let post: PostID
    package let user: UserID
    /// Longest viewing, in seconds of the video.
    package let seconds: Double
    /// True once the video has been watched to the end.
    package let isCompleted: Bool
}

/// Thresholds at which a video counts as seen.
package enum WatchedEnough {
    /// Share of a video whose `duration` is known.
    package static let share = 0.5
    /// Seconds of a video without a known `duration`.
    package static let seconds = 30.0

    /// Returns the watched share of the video, 0 to 1, as far as it is known. `duration`: seconds.
    package static func share(seconds: Double, isCompleted: Bool, duration: Double?) -> Double {
        if isCompleted { return 1 }
        guard let duration, duration > 0 else { return min(seconds / (Self.seconds / share), 1) }
        return min(seconds / duration, 1)
    }
}
