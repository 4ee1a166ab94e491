import Glibc
import GraphServices
import MediaJobs
import Processes

/// Examines videos with ffprobe and ffmpeg: confined programs, which are told the container and read no other file
/// format, protocol or playlist.
package struct VideoExaminer: Sendable {
    /// Pixels of a poster's width.
    static let posterWidth = 720
    /// Bytes that ffprobe may write.
    static let reportBytes = 65_536
    /// Bytes that ffmpeg may write.
    static let posterBytes = 4 << 20
    /// Exit status of a program that the loader could not start.
    private static let notStarted: Int32 = 127

    private let tools: VideoTools
    private let limits: VideoLimits

    package init(_ tools: VideoTools, limits: VideoLimits = VideoLimits()) {
        self.tools = tools
        self.limits = limits
    }

    /// Reads the properties of the video at `path`. `report` is the path of a temporary file, which the caller removes.
    ///
    /// - Throws: ``VideoFault``.
    func properties(at path: String, _ type: MediaType, report: String) async throws -> VideoProperties {
        let container = try Self.demuxer(of: type)
        var launch = Launch(tools.ffprobe, Self.probing(path, container), environment: Self.environment)
        launch.output = .path(report)
        try await run(
            launch, limits.probe, writing: Self.reportBytes, failure: "The file cannot be read as a video.")
        return try VideoReport.properties(in: try Self.content(of: report))
    }

    /// Draws a JPEG of the video at `path` to the new file `poster`.
    ///
    /// - Throws: ``VideoFault``.
    func drawPoster(at path: String, _ type: MediaType, to poster: String) async throws {
        let container = try Self.demuxer(of: type)
        let launch = Launch(tools.ffmpeg, Self.drawing(path, container, poster), environment: Self.environment)
        try await run(
            launch, limits.poster, writing: Self.posterBytes,
            failure: "No picture of the video can be decoded within the limits of the server.")
        guard access(poster, R_OK) == 0 else { throw VideoFault.file("The video has no picture.") }
    }

    /// - Parameter failure: the fault of a file that the program does not accept.
    private func run(_ launch: Launch, _ time: Duration, writing bytes: Int, failure: String) async throws {
        var launch = launch
        launch.confinement = Confinement(
            memory: limits.memory, processorSeconds: limits.processorSeconds, fileBytes: bytes)
        let end: ChildProcess.End?
        do {
            end = try await ChildProcess.run(launch, limit: time)
        } catch let failure as LaunchFailure {
            throw VideoFault.machine("\(failure)")
        }
        switch end {
        case .exited(0)?: return
        case .exited(Self.notStarted)?: throw VideoFault.machine("\(launch.executable) does not start")
        case .signalled(SIGKILL)?, .signalled(SIGTERM)?: throw VideoFault.machine("the program was killed")
        // Among them a program that has exceeded a limit or has crashed.
        case .exited?, .signalled?: throw VideoFault.file(failure)
        case nil: throw VideoFault.machine("the program was ended after \(time)")
        }
    }

    private static let environment = ["LC_ALL": "C"]

    /// ffmpeg's name for the container. Without it, ffmpeg would guess the format, and some formats are lists of URLs
    /// that it would fetch.
    private static func demuxer(of type: MediaType) throws -> String {
        switch type {
        case .mp4, .appleVideo, .quickTime: return "mov"
        case .webM, .matroska: return "matroska"
        case .jpeg, .png, .gif, .webP, .heic, .avif: throw VideoFault.file("The file is not a video.")
        }
    }

    private static func input(_ path: String, _ container: String) -> [String] {
        [
            "-protocol_whitelist", "file", "-max_pixels", String(RequestLimits.videoPixels), "-threads", "1", "-f",
            container, "-i", "file:\(path)",
        ]
    }

    private static func probing(_ path: String, _ container: String) -> [String] {
        let entries =
            "format=duration:stream=codec_name,width,height,duration:stream_disposition=attached_pic"
            + ":stream_side_data=rotation"
        return [
            "-hide_banner", "-v", "error", "-select_streams", "v", "-show_entries", entries, "-of", "json=compact=1",
        ] + input(path, container)
    }

    /// Arguments that select the most representative of the first frames. They are scaled first: ffmpeg holds all of
    /// them in memory.
    private static func drawing(_ path: String, _ container: String, _ poster: String) -> [String] {
        let frames = "scale='min(\(posterWidth),iw)':-2,thumbnail=50"
        return ["-nostdin", "-hide_banner", "-loglevel", "error", "-filter_threads", "1"] + input(path, container) + [
            "-map", "0:V:0", "-frames:v", "1", "-vf", frames, "-threads", "1", "-f", "mjpeg", "-q:v", "4", "-y",
            "file:\(poster)",
        ]
    }

    private static func content(of path: String) throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw VideoFault.machine("the report of ffprobe is missing") }
        defer { close(descriptor) }
        return [UInt8](unsafeUninitializedCapacity: reportBytes) { buffer, count in
            var length = 0
            while length < buffer.count {
                let bytes = read(descriptor, buffer.baseAddress.map { $0 + length }, buffer.count - length)
                if bytes <= 0 { break }
                length += bytes
            }
            count = length
        }
    }
}
