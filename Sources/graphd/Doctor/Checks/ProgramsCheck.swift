import GraphServices
import MediaFiles
import Processes
import RedisClient

/// The programs that a server starts.
struct ProgramsCheck: Equatable {
    /// The path of ffmpeg; nil if it is not installed.
    let ffmpeg: String?
    /// True if it ends with success when asked for its version.
    let ffmpegRuns: Bool
    /// The path of redis-server; nil if it is not installed.
    let redisServer: String?
    /// True if the server runs a Redis of its own.
    let needsRedisServer: Bool

    var findings: [Finding] {
        var findings: [Finding] = []
        if needsRedisServer, redisServer == nil {
            findings.append(
                Finding(
                    .programs, .failure, "There is no redis-server, which the server starts.",
                    remedy: "Install it (apt install redis-server), or name a running Redis with --redis."))
        }
        if ffmpeg == nil {
            findings.append(
                Finding(
                    .programs, .warning, "There is no ffmpeg: uploaded videos have neither duration nor poster.",
                    remedy: "Install it: apt install ffmpeg"))
        } else if !ffmpegRuns {
            findings.append(
                Finding(
                    .programs, .warning,
                    "\(ffmpeg ?? "ffmpeg") does not run: uploaded videos have neither duration nor poster.",
                    remedy: "Look at what it says: ffmpeg -version"))
        }
        guard findings.isEmpty else { return findings }
        let found = [ffmpeg, needsRedisServer ? redisServer : nil].compactMap(\.self).joined(separator: ", ")
        return [Finding(.programs, .sound, "\(found).")]
    }
}

extension ProgramsCheck {
    private static let limit = Duration.seconds(60)

    /// - Parameter path: the directories that hold programs, as in `PATH`.
    init(path: String?, needsRedisServer: Bool) async {
        let ffmpeg = VideoTools.find(inPath: path)?.ffmpeg
        var runs = false
        if let ffmpeg {
            let version = Launch(ffmpeg, ["-version"], environment: ["LC_ALL": "C"])
            runs = (try? await ChildProcess.run(version, limit: Self.limit)) == .exited(0)
        }
        self.init(
            ffmpeg: ffmpeg, ffmpegRuns: runs, redisServer: PrivateRedis.program(path: path ?? ""),
            needsRedisServer: needsRedisServer)
    }
}
