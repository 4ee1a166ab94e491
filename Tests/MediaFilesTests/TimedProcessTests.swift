import Foundation
import TestSupport
import Testing

@testable import GraphServices
@testable import MediaFiles

@Suite(.timeLimit(.process))
struct TimedProcessTests {
    private func run(_ script: String, limit: Duration = .seconds(600)) async throws -> Bool {
        try await TimedProcess.run("/bin/sh", ["-c", script], limit: limit)
    }

    /// Returns the lines that `script` writes to the file `$out`.
    private func written(by script: String) async throws -> [Substring] {
        try await withTemporaryDirectory("timed") { directory in
            #expect(try await run("out='\(directory)/out'; \(script)"))
            return try String(contentsOfFile: directory + "/out", encoding: .utf8).split(separator: "\n")
        }
    }

    @Test(arguments: [("exit 0", true), ("exit 1", false), ("kill -9 $$", false)])
    func `status zero is success`(_ script: String, _ succeeds: Bool) async throws {
        #expect(try await run(script) == succeeds)
    }

    @Test
    func `a program that is missing is an error`() async {
        await #expect(throws: (any Error).self) {
            try await TimedProcess.run("/nowhere/program", [], limit: .seconds(1))
        }
    }

    @Test
    func `nothing is inherited`() async throws {
        let file = open("/dev/null", O_RDONLY)
        defer { close(file) }
        let files = try await written(by: "exec /bin/ls -l /proc/self/fd > \"$out\"")
        // Standard input and error, the output file, and the folder that is listed.
        #expect(files.count { $0.contains(" -> ") } == 4, "\(files)")
        #expect(files.count { $0.hasSuffix("/dev/null") } == 2)
        let variables = try await written(by: "exec /usr/bin/env > \"$out\"")
        #expect(variables.filter { !$0.hasPrefix("PWD=") } == ["LC_ALL=C"])
        let signals = try await written(by: "exec /bin/grep -E 'Sig(Blk|Ign)' /proc/self/status > \"$out\"")
        // The two signals above 31 are reserved by glibc.
        #expect(signals.map { UInt64($0.suffix(16), radix: 16).map { $0 & 0x7FFF_FFFF } } == [0, 0])
    }

    @Test
    func `what it has started ends with it at the limit`() async throws {
        try await withTemporaryDirectory("timed") { directory in
            let hasSucceeded = try await run(script(in: directory), limit: .seconds(2))
            #expect(!hasSucceeded)
            try await expectEnd(ofGroupIn: directory)
        }
    }

    @Test
    func `what it has started ends with its task`() async throws {
        try await withTemporaryDirectory("timed") { directory in
            let task = Task { try await run(script(in: directory)) }
            while !FileManager.default.fileExists(atPath: directory + "/group") { await Task.yield() }
            task.cancel()
            _ = await task.result
            try await expectEnd(ofGroupIn: directory)
        }
    }

    /// Returns a script that starts a child, names its process group in a file, which is there with its whole text or
    /// not at all, and waits.
    private func script(in directory: String) -> String {
        "sleep 600 & echo $$ > '\(directory)/new' && mv '\(directory)/new' '\(directory)/group'; wait"
    }

    /// Waits until the process group is empty, which is the case once init has reaped the killed processes.
    private func expectEnd(ofGroupIn directory: String) async throws {
        let text = try String(contentsOfFile: directory + "/group", encoding: .utf8)
        let group = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        while kill(-group, 0) == 0 { await Task.yield() }
    }
}
