import Foundation
import GraphServices
import Logging

/// Makes a picture of a video with ffmpeg, if that is installed. The video has none if ffmpeg is missing, fails or
/// takes too long, or if too many videos wait.
package final class Thumbnailer: Sendable {
    /// Pixels of a thumbnail's width.
    static let width = 720
    /// Longest time for making one.
    package static let time = Duration.seconds(15)
    /// Number of thumbnails made at once.
    static let concurrent = 2
    /// Number of thumbnails of one user made at once.
    static let perUser = 1
    /// Thumbnails that may wait.
    static let waiting = 16

    private let executable: String?
    private let limit: Duration
    private let logger: Logger
    private let gate = FairGate(
        places: Thumbnailer.concurrent, perHolder: Thumbnailer.perUser,
        waiting: Thumbnailer.waiting)

    /// - Parameters:
    ///   - executable: the path of ffmpeg; nil if no thumbnails are made.
    ///   - limit: the longest time for one.
    package init(
        executable: String? = TimedProcess.find("ffmpeg", inPath: ProcessInfo.processInfo.environment["PATH"]),
        limit: Duration = Thumbnailer.time, logger: Logger
    ) {
        self.executable = executable
        self.limit = limit
        self.logger = logger
    }

    /// Returns a JPEG of `video`, received by `store`; nil if there is none.
    package func thumbnail(
        of video: IncomingFile, into store: MediaService, for holder: BudgetHolder,
        from reservation: UploadQuota.Reservation? = nil
    ) async -> IncomingFile? {
        guard let executable, let format = Self.demuxer(of: video.type) else { return nil }
        let path = store.temporaryPath
        var picture: IncomingFile?
        do {
            let isMade = try await gate.run(for: holder) {
                try await TimedProcess.run(executable, Self.arguments(video.path, format, path), limit: limit)
            }
            if isMade {
                picture = try await store.receivePicture(
                    at: path, field: "thumbnail", for: holder, from: reservation)
            } else {
                logger.info("no thumbnail was made")
            }
        } catch {
            logger.info("no thumbnail was made", metadata: [LogKeys.error: "\(error)"])
        }
        await store.removeTemporary(path)
        return picture
    }

    /// ffmpeg's name for the container. Without it, ffmpeg would guess the format, and some formats are lists of URLs
    /// that it would fetch.
    private static func demuxer(of type: MediaType) -> String? {
        switch type {
        case .mp4, .appleVideo, .quickTime: "mov"
        case .webM, .matroska: "matroska"
        case .jpeg, .png, .gif, .webP, .heic, .avif: nil
        }
    }

    /// Arguments that select the most representative of the first frames, no wider than ``Thumbnailer/width``.
    private static func arguments(_ video: String, _ format: String, _ picture: String) -> [String] {
        let frames = "thumbnail=50,scale='min(\(Self.width),iw)':-2"
        return [
            "-nostdin", "-hide_banner", "-loglevel", "error", "-protocol_whitelist", "file", "-threads", "1", "-f",
            format,
            "-i", "file:\(video)", "-map", "0:v:0", "-frames:v", "1", "-vf", frames, "-threads", "1", "-f", "mjpeg",
            "-q:v", "4", "-y", "file:\(picture)",
        ]
    }
}
