import Foundation
import Processes

/// Takes samples of the stacks of a process with perf.
struct Profiler: Sendable {
    /// The directory of `profile.svg` and `folded.txt`.
    let directory: String

    /// Samples a second of each processor; not a round number, to avoid synchrony with timers.
    private static let frequency = 499

    /// Throws if perf may not observe processes.
    init(directory: String) throws {
        self.directory = directory
        let isAllowed = try Program.succeeds(
            Program.find("perf"), ["record", "-q", "-F", "\(Self.frequency)", "-g", "-o", "/dev/null", "true"])
        guard isAllowed else {
            throw Program.Failure(
                description: "perf may not look at processes here. As root: sysctl kernel.perf_event_paranoid=1; in a "
                    + "container it needs CAP_PERFMON, too.")
        }
    }

    /// Samples `process` while `body` runs.
    func during<T>(_ process: Int32, title: String, _ body: () async throws -> T) async throws -> T {
        let directory = try Scratch.directory("profile")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let samples = directory + "/perf.data"
        let perf = try Program.find("perf")
        let recording = try ChildProcess(
            perf, ["record", "-q", "-F", "\(Self.frequency)", "-g", "-p", "\(process)", "-o", samples])
        let value: T
        do { value = try await body() } catch {
            recording.stop(signal: SIGINT)
            throw error
        }
        recording.stop(signal: SIGINT)
        Progress.say("drawing the profile")
        let script = try Program.run(perf, ["script", "-F", "comm,ip,sym", "-i", samples])
        try draw(FoldedStacks(perfScript: script), title: title + ", samples of its processor time")
        return value
    }

    private func draw(_ mangled: FoldedStacks, title: String) throws {
        var stacks = mangled
        try stacks.demangle()
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let lines = stacks.counts.map { "\($0.joined(separator: ";")) \($1)" }.sorted()
        try lines.joined(separator: "\n").write(
            toFile: directory + "/folded.txt", atomically: true, encoding: .utf8)
        try FlameGraph(title: title, stacks: stacks).svg.write(
            toFile: directory + "/profile.svg", atomically: true, encoding: .utf8)
    }
}
