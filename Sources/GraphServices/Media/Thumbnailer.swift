import Foundation
import Logging

/// Makes a picture of a video with ffmpeg, where that is installed. Where it is not, where it fails or takes too long,
/// or where too many wait for it, the video goes without one.
package final class Thumbnailer: Sendable {
    /// Pixels of a thumbnail's width.
    static let width = 720
    /// Time that making one may take.
    package static let time = Duration.seconds(15)
    /// Thumbnails that are made at once.
    static let concurrent = 2
    /// Thumbnails of one user that are made at once.
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
    ///   - executable: of ffmpeg; nil: no thumbnails are made.
    ///   - limit: how long one may take.
    package init(
        executable: String? = TimedProcess.find("ffmpeg", inPath: ProcessInfo.processInfo.environment["PATH"]),
        limit: Duration = Thumbnailer.time, logger: Logger
    ) {
        self.executable = executable
        self.limit = limit
        self.logger = logger
    }

    /// A JPEG of `video`, taken in by `store`; nil where there is none.
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

    /// ffmpeg's name for the container. Without it, ffmpeg would judge by itself what a file is, and some of what it
    /// knows are lists of addresses that it would fetch.
    private static func demuxer(of type: MediaType) -> String? {
        switch type {
        case .mp4, .appleVideo, .quickTime: "mov"
        case .webM, .matroska: "matroska"
        case .jpeg, .png, .gif, .webP, .heic, .avif: nil
        }
    }

    /// The most telling of the first frames, no wider than ``Thumbnailer/width``.
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
