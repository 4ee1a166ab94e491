import SocialGraph

/// How far a user has come in a video, over all the times that it was watched.
package struct Watch: Sendable, Equatable {
    /// Of the last time: its time, and its place in the user's list.
    package let id: Int64
    package let post: PostID
    package let user: UserID
    /// The longest time, in seconds of the video.
    package let seconds: Double
    /// Whether it was once watched to the end.
    package let isCompleted: Bool
}

/// What counts as having seen a video.
package enum WatchedEnough {
    /// Of a video whose `duration` is known.
    package static let share = 0.5
    /// Of others, in seconds.
    package static let seconds = 30.0

    /// How much of the video was watched, 0 to 1, as far as that is known. `duration`: seconds.
    package static func share(seconds: Double, isCompleted: Bool, duration: Double?) -> Double {
        if isCompleted { return 1 }
        guard let duration, duration > 0 else { return min(seconds / (Self.seconds / share), 1) }
        return min(seconds / duration, 1)
    }
}
