import SocialGraph

/// The examination of a stored video, and what it has found.
package struct MediaJob: Sendable, Equatable {
    /// The raw value is stored and sent, and stable.
    package enum State: String, Sendable, CaseIterable {
        case queued
        case running
        case ready
        case failed

        package var isOver: Bool { self == .ready || self == .failed }
    }

    package let state: State
    /// Nil before the end, and if this server could not examine the video.
    package let properties: VideoProperties?
    package let poster: MediaID?
    /// The path that serves the poster.
    package let posterPath: String?
    /// The reason of a failure, in English, for the uploader.
    package let error: String?
}

/// The job of a new file.
package enum NewMediaJob: Sendable {
    /// A worker is to examine the video.
    case queued
    /// The video has been examined already; nil: it could not be.
    case ready(VideoProperties?)
}

/// A job that a worker has taken.
package struct TakenMediaJob: Sendable {
    package let media: Media
    /// Number of attempts, including this one.
    package let attempts: Int64
    /// True if the uploader has sent a poster.
    package let hasPoster: Bool
}

/// The outcome of an attempt.
package enum MediaJobOutcome: Sendable {
    /// - Parameter poster: a file that is stored and has no row yet.
    case ready(VideoProperties?, poster: NewMedia?)
    /// The file is at fault.
    case failed(String)
    /// Another attempt is due at this time, in milliseconds since 1970.
    case retry(at: Int64)
    /// The worker has not come to an end, and the attempt does not count.
    case released
}
