import Database
import GraphServices
import Logging
import MediaJobs
import SocialGraph

/// Carries out jobs: reads the properties of a stored video and draws its poster.
struct MediaJobRunner: Sendable {
    /// The reason that an uploader is told when no attempt is left.
    static let gaveUp = "The video could not be examined. Upload it again later."

    let store: MediaService
    /// Nil without the programs: every video is ready then, without properties and poster.
    let examiner: VideoExaminer?
    let logger: Logger
    /// Milliseconds since 1970, the same as the database's.
    let now: @Sendable () -> Int64

    /// Makes one attempt. A poster in the outcome is stored, and has no row yet.
    func outcome(of job: TakenMediaJob) async -> MediaJobOutcome {
        do {
            return try await attempt(job)
        } catch {
            if Task.isCancelled { return .released }
            if case VideoFault.file(let reason) = error { return .failed(reason) }
            logger.warning(
                "a video was not examined",
                metadata: [
                    LogKeys.file: "\(job.media.fileName)", LogKeys.attempt: "\(job.attempts)",
                    LogKeys.error: "\(error)",
                ])
            return outcome(ofFailed: job)
        }
    }

    /// Returns what follows an attempt for whose failure the file is not to blame.
    func outcome(ofFailed job: TakenMediaJob) -> MediaJobOutcome {
        PushBackoff.videos.pause(after: job.attempts).map { .retry(at: now() + $0) } ?? .failed(Self.gaveUp)
    }

    private func attempt(_ job: TakenMediaJob) async throws -> MediaJobOutcome {
        guard let examiner, let type = MediaType(contentType: job.media.contentType) else {
            return .ready(nil, poster: nil)
        }
        return try await store.withLocalFile(of: job.media) { path in
            let report = store.temporaryPath
            let properties = try await store.withTemporary(report) {
                try await examiner.properties(at: path, type, report: report)
            }
            guard !job.hasPoster else { return .ready(properties, poster: nil) }
            try store.requireRoom(for: VideoExaminer.posterBytes)
            let picture = store.temporaryPath
            let poster = try await store.withTemporary(picture) {
                try await examiner.drawPoster(at: path, type, to: picture)
                return try await store.receivePicture(at: picture, field: "poster", for: .server)
            }
            return .ready(properties, poster: try await store.place(poster, for: job.media.owner))
        }
    }
}
