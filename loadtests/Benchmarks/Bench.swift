import Foundation
import Subprocess
import RedisClient
import SocialGraph
import Timeline

/// Measures operations, each in separate processes and directories, two at a time.
struct Bench: Sendable {
    private let directory: String

    /// Returns the cost of each of `operations`, by name.
    static func measure(_ operations: [Operation]) async throws -> [String: Figures] {
        let directory = NSTemporaryDirectory() + "benchmarks-\(ProcessInfo.processInfo.processIdentifier)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try await Network.write(to: Site.database(in: directory))
        try await copyProgram(to: program(in: directory))
        return try await Bench(directory: directory).measure(operations)
    }

    private func measure(_ operations: [Operation]) async throws -> [String: Figures] {
        try await withThrowingTaskGroup(of: (String, Figures).self) { group in
            var waiting = Array(operations.enumerated())[...]
            func startNext() {
                guard let (number, operation) = waiting.popFirst() else { return }
                group.addTask {
                    let counted = try await run(operation, .counting, in: "\(number)c")
                    let profiled = try await run(operation, .profiling, in: "\(number)p")
                    return (operation.name, counted.merging(profiled) { counts, _ in counts })
                }
            }
            for _ in 0..<2 { startNext() }
            var measured: [String: Figures] = [:]
            while let (name, figures) = try await group.next() {
                measured[name] = figures
                Progress.show("\(measured.count) of \(operations.count) operations")
                startNext()
            }
            Progress.end()
            return measured
        }
    }

    private func run(_ operation: Operation, _ purpose: Repetition.Purpose, in name: String) async throws -> Figures {
        let site = "\(directory)/\(name)"
        try FileManager.default.createDirectory(atPath: site, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: site) }
        try FileManager.default.copyItem(atPath: Site.database(in: directory), toPath: Site.database(in: site))
        let options = PrivateRedis.Options(maxListpackEntries: WindowDepth().listpackEntries)
        let redis = try PrivateRedis(dataDirectory: site, options: options, logger: Site.silence)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await redis.run() }
            defer { group.cancelAll() }
            try await redis.waitUntilReady()
            try await start(operation, purpose, in: site)
            let data = try Data(contentsOf: URL(fileURLWithPath: Repetition.file(in: site)))
            let figures = try JSONDecoder().decode(Figures.self, from: data)
            guard purpose == .profiling else { return figures }
            return try Callgrind.figures(of: operation, profilesIn: site)
        }
    }

    private static func program(in directory: String) -> String { directory + "/benchmarks" }

    /// Copies this program without debug information: valgrind fails on it if the compiler is newer.
    private static func copyProgram(to path: String) async throws {
        guard try await Program.run("/usr/bin/strip", ["--strip-debug", "-o", path, "/proc/\(getpid())/exe"])
        else { throw BenchmarkError("the program cannot be stripped") }
    }

    private func start(_ operation: Operation, _ purpose: Repetition.Purpose, in site: String) async throws {
        let program = Self.program(in: directory)
        var command = [program, "measure", operation.name, site, purpose.rawValue]
        if purpose == .profiling { command = Callgrind.command(profilesIn: site) + command }
        // Without a random hash seed, with one thread for tasks, and with nothing of the caller's environment.
        let isDone = try await Program.run(
            command[0], Array(command.dropFirst()),
            environment: ["SWIFT_DETERMINISTIC_HASHING": "1", "LIBDISPATCH_COOPERATIVE_POOL_STRICT": "1"])
        guard isDone else { throw BenchmarkError("'\(operation.name)' (\(purpose)) failed") }
    }
}

/// One line that is overwritten, on a terminal only.
private enum Progress {
    private static let isTerminal = isatty(STDERR_FILENO) == 1

    static func show(_ text: String) { write("\r\(text)") }
    static func end() { write("\n") }

    private static func write(_ text: String) {
        if isTerminal { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }
    }
}
