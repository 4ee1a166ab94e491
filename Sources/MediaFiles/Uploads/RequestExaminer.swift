import GraphServices
import Logging
import MediaJobs

/// Examines videos within the requests that upload and publish them. A video has neither properties nor a poster if
/// ffmpeg is missing, fails or takes too long, or if too many videos wait.
package final class RequestExaminer: Sendable {
    /// Number of videos examined at once.
    static let concurrent = 2
    /// Number of videos of one user examined at once.
    static let perUser = 1
    /// Videos that may wait.
    static let waiting = 16

    /// The results of an examination.
    struct Findings {
        var properties: VideoProperties?
        var poster: IncomingFile?
    }

    private let examiner: VideoExaminer?
    private let logger: Logger
    private let gate = FairGate(
        places: RequestExaminer.concurrent, perHolder: RequestExaminer.perUser, waiting: RequestExaminer.waiting)

    /// - Parameters:
    ///   - tools: the programs; nil if videos are not examined.
    package init(_ tools: VideoTools?, limits: VideoLimits = .inRequest, logger: Logger) {
        examiner = tools.map { VideoExaminer($0, limits: limits) }
        self.logger = logger
    }

    /// - Parameter drawsPoster: false if the client has sent a picture.
    func examine(
        _ video: IncomingFile, drawsPoster: Bool, into store: MediaService, for holder: BudgetHolder,
        from reservation: UploadQuota.Reservation
    ) async -> Findings {
        guard let examiner else { return Findings() }
        var findings = Findings()
        do {
            let temporary = store.temporaryPath
            findings.properties = try await store.withTemporary(temporary) {
                try await gate.run(for: holder) {
                    try await examiner.properties(at: video.path, video.type, report: temporary)
                }
            }
            guard drawsPoster else { return findings }
            let picture = store.temporaryPath
            findings.poster = try await store.withTemporary(picture) {
                try await gate.run(for: holder) {
                    try await examiner.drawPoster(at: video.path, video.type, to: picture)
                }
                return try await store.receivePicture(
                    at: picture, field: "thumbnail", for: holder, from: reservation)
            }
        } catch {
            logger.info("a video was not examined", metadata: [LogKeys.error: "\(error)"])
        }
        return findings
    }
}
