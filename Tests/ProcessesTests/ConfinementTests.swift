import Foundation
import Glibc
import TestSupport
import Testing

@testable import Processes

/// Each limit of a confined program, by a program that exceeds it.
@Suite(.timeLimit(.process))
struct ConfinementTests {
    private static let limits = Confinement(memory: 1 << 30, processorSeconds: 60, fileBytes: 1 << 20)

    /// Runs a bash script under limits and returns its end and what it has written, errors included.
    private func run(
        _ script: String, _ limits: Confinement? = ConfinementTests.limits, for time: Duration = .seconds(300)
    ) async throws -> (end: ChildProcess.End?, output: String) {
        try await withTemporaryDirectory("confined") { directory in
            var launch = Launch("/bin/bash", ["-c", "cd '\(directory)'; \(script)"], environment: ["LC_ALL": "C"])
            launch.output = .path(directory + "/output")
            launch.error = .path(directory + "/output")
            launch.confinement = limits
            let end = try await ChildProcess.run(launch, limit: time)
            return (end, (try? String(contentsOfFile: directory + "/output", encoding: .utf8)) ?? "")
        }
    }

    @Test
    func `a program within its limits runs to its end`() async throws {
        let (end, output) = try await run("echo \"$LC_ALL\"; exit 3")
        #expect(end == .exited(3))
        #expect(output == "C\n")
    }

    @Test(arguments: ["tcp", "udp"])
    func `it has no network`(_ transport: String) async throws {
        let script = "exec 3<>/dev/\(transport)/127.0.0.1/9"
        let (_, output) = try await run(script)
        #expect(output.contains("Operation not permitted"), "\(output)")
        let free = try await run(script, nil)
        #expect(!free.output.contains("Operation not permitted"), "the limit has made the difference")
    }

    @Test
    func `it starts no other program`() async throws {
        let (end, output) = try await run("/bin/true; echo \"status $?\"")
        #expect(end != .exited(0) || !output.contains("status 0"), "\(output)")
        let free = try await run("/bin/true; echo \"status $?\"", nil)
        #expect(free.output == "status 0\n")
    }

    @Test
    func `it signals no other process`() async throws {
        let (end, output) = try await run("kill -0 \(getpid()); echo \"status $?\"")
        #expect(end == .exited(0))
        #expect(output.contains("Operation not permitted") && output.contains("status 1"), "\(output)")
    }

    @Test
    func `its memory is limited`() async throws {
        let script = "printf -v x '%0200000000d' 1; echo ${#x}"
        let (_, output) = try await run(script, Confinement(memory: 1 << 26, processorSeconds: 60, fileBytes: 1 << 20))
        #expect(!output.contains("200000000\n"), "\(output)")
        let free = try await run(script, Confinement(memory: 1 << 32, processorSeconds: 60, fileBytes: 1 << 20))
        #expect(free.output == "200000000\n")
    }

    @Test
    func `its processor time is limited`() async throws {
        let limits = Confinement(memory: 1 << 30, processorSeconds: 1, fileBytes: 1 << 20)
        #expect(try await run("while :; do :; done", limits).end == .signalled(SIGXCPU))
        #expect(try await run("trap '' XCPU; while :; do :; done", limits).end == .signalled(SIGKILL))
    }

    @Test
    func `its files are limited`() async throws {
        let limits = Confinement(memory: 1 << 30, processorSeconds: 60, fileBytes: 1_000)
        #expect(try await run("printf '%02000d' 1 > file", limits).end == .signalled(SIGXFSZ))
    }

    @Test
    func `it is killed at the limit of time, and with its task`() async throws {
        #expect(try await run("while :; do :; done", for: .milliseconds(300)).end == nil)
        let task = Task { try await run("while :; do :; done") }
        task.cancel()
        #expect(try await task.value.end == nil)
    }

    @Test
    func `it inherits no descriptor, signal or number of this process' files`() async throws {
        let file = open("/dev/null", O_RDONLY)
        defer { close(file) }
        let (_, output) = try await run("exec /bin/ls /proc/self/fd")
        // The last one is of the folder that is listed.
        #expect(output.split(separator: "\n") == ["0", "1", "2", "3"])
        let signals = try await run("exec /bin/grep -E 'Sig(Blk|Ign)|NoNewPrivs' /proc/self/status").output
        #expect(signals.contains("NoNewPrivs:\t1"))
        let masks = signals.split(separator: "\n").filter { $0.hasPrefix("Sig") }
        #expect(masks.map { UInt64($0.suffix(16), radix: 16).map { $0 & 0x7FFF_FFFF } } == [0, 0])
    }

    @Test
    func `a program that is missing is named`() throws {
        var launch = Launch("/nowhere/program", [])
        launch.confinement = Self.limits
        do {
            _ = try ChildProcess(launch)
            Issue.record("a program that is missing was started")
        } catch let failure as LaunchFailure {
            #expect(failure.number == ENOENT)
        }
    }
}
