import Foundation
import Processes

/// Stream-Framework in a virtual environment of Python, which is created once and kept.
struct StreamFramework {
    private static let packages = ["stream-framework==1.4.0", "redis==2.10.6", "celery==5.7.0"]
    private let python: String
    private let script: String

    /// - Parameters:
    ///   - directory: the directory of the environment.
    ///   - script: `stream_framework_peer.py`.
    init(environment directory: String, script: String) throws {
        self.script = script
        python = directory + "/bin/python"
        if !FileManager.default.isExecutableFile(atPath: python) {
            Progress.say("installing Stream-Framework into \(directory)")
            try Program.run(Program.find("python3"), ["-m", "venv", directory])
            try Program.run(python, ["-m", "pip", "install", "--quiet"] + Self.packages)
        }
    }

    /// Returns deliveries a second of `posts` to `followers`, whose feeds are trimmed to `cap`, by two workers.
    func measure(followers: Int, posts: Int, cap: Int) throws -> Double {
        let directory = try Scratch.directory("stream-framework")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let socket = directory + "/redis.sock"
        let redis = try ChildProcess(
            Program.find("redis-server"),
            ["--port", "0", "--unixsocket", socket, "--save", "", "--zset-max-listpack-entries", "\(cap + 128)"])
        defer { redis.stop(signal: SIGKILL) }
        while !FileManager.default.fileExists(atPath: socket) { usleep(10_000) }
        let output = try Program.run(python, [script, socket, "\(followers)", "\(posts)", "\(cap)", "2"])
        guard let rate = output.split(separator: "=").last.flatMap({ Double($0.trimming()) }) else {
            throw Program.Failure(description: "unexpected output: \(output)")
        }
        return rate
    }
}

extension Substring {
    fileprivate func trimming() -> String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
