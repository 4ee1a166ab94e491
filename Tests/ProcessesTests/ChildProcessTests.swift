import Foundation
import Glibc
import TestSupport
import Testing

@testable import Processes

@Suite(.timeLimit(.process))
struct ChildProcessTests {
    private func shell(_ script: String) -> Launch { Launch("/bin/sh", ["-c", script]) }

    /// Returns the standard output of `script`.
    private func output(of script: String, _ change: (inout Launch) -> Void = { _ in }) async throws -> String {
        try await withTemporaryDirectory("child") { directory in
            var launch = shell(script)
            launch.output = .path(directory + "/output")
            change(&launch)
            let child = try ChildProcess(launch)
            #expect(await child.wait() == .exited(0))
            return try String(contentsOfFile: directory + "/output", encoding: .utf8)
        }
    }

    @Test
    func `the end is told`() async throws {
        let child = try ChildProcess(shell("exit 3"))
        #expect(await child.wait() == .exited(3))
        #expect(child.waitBlocking() == .exited(3), "as often as it is asked for")
        let killed = try ChildProcess(shell("kill -9 $$"))
        #expect(await killed.wait() == .signalled(SIGKILL))
    }

    @Test
    func `no file is inherited but the standard ones`() async throws {
        let file = open("/dev/null", O_RDONLY)
        defer { close(file) }
        // No pipe: the shell would hold its ends for a moment. `true` keeps `ls` from taking the place of the shell.
        let found = try await output(of: "ls -l /proc/$$/fd; true")
        #expect(found.split(separator: "\n").count { $0.contains(" -> ") } == 3, "\(found)")
    }

    @Test
    func `no signal is ignored or blocked`() async throws {
        // This thread blocks a signal, and the program ignores another.
        var mask = sigset_t()
        sigemptyset(&mask)
        sigaddset(&mask, SIGUSR1)
        pthread_sigmask(SIG_BLOCK, &mask, nil)
        let before = Glibc.signal(SIGPIPE, SIG_IGN)
        let child: ChildProcess
        let directory = try makeTemporaryDirectory("child")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        do {
            defer {
                pthread_sigmask(SIG_UNBLOCK, &mask, nil)
                _ = Glibc.signal(SIGPIPE, before)
            }
            var launch = Launch("/bin/grep", ["-E", "Sig(Blk|Ign)", "/proc/self/status"])
            launch.output = .path(directory + "/output")
            child = try ChildProcess(launch)
        }
        #expect(await child.wait() == .exited(0))
        let masks = try String(contentsOfFile: directory + "/output", encoding: .utf8).split(separator: "\n")
            .map { UInt64($0.suffix(16), radix: 16) }
        // The two signals above 31 are reserved by glibc.
        #expect(masks.map { $0.map { $0 & 0x7FFF_FFFF } } == [0, 0])
    }

    @Test
    func `it leads a group of its own`() async throws {
        let child = try ChildProcess(shell("exec sleep 600"))
        #expect(getpgid(child.pid) == child.pid)
        child.signal(SIGKILL)
        #expect(await child.wait() == .signalled(SIGKILL))
    }

    @Test
    func `a given environment is all that it sees`() async throws {
        let found = try await output(of: "exec /usr/bin/env") { $0.environment = ["B": "2", "A": "1"] }
        #expect(found.split(separator: "\n").filter { !$0.hasPrefix("PWD=") } == ["A=1", "B=2"])
    }

    @Test
    func `output is appended`() async throws {
        try await withTemporaryDirectory("child") { directory in
            var launch = shell("echo one; echo two >&2")
            launch.output = .path(directory + "/log")
            launch.error = .path(directory + "/log")
            for _ in 1...2 { _ = try await ChildProcess(launch).wait() }
            #expect(try String(contentsOfFile: directory + "/log", encoding: .utf8) == "one\ntwo\none\ntwo\n")
        }
    }

    @Test
    func `a limited wait ends without the child`() async throws {
        let child = try ChildProcess(shell("sleep 600 & exec sleep 600"))
        #expect(child.waitBlocking(atMost: .milliseconds(20)) == nil)
        child.signalGroup(SIGKILL)
        #expect(child.waitBlocking(atMost: .seconds(600)) == .signalled(SIGKILL))
        // The other sleep is in the same group, which is empty once init has reaped it.
        while kill(-child.pid, 0) == 0 { await Task.yield() }
    }

    @Test
    func `a program that ignores SIGTERM is killed after the grace`() async throws {
        try await withTemporaryDirectory("child") { directory in
            let child = try ChildProcess(shell("trap '' TERM; : > \(directory)/ready; while :; do sleep 1; done"))
            while !FileManager.default.fileExists(atPath: directory + "/ready") { await Task.yield() }
            await child.terminate(grace: .milliseconds(20))
            #expect(await child.wait() == .signalled(SIGKILL))
        }
    }

    @Test
    func `a program that is missing is named`() {
        let failure = #expect(throws: LaunchFailure.self) {
            try ChildProcess(Launch("/nowhere/program", []), endsWithParent: true)
        }
        #expect(failure?.number == ENOENT)
        #expect(failure?.description == "Cannot start /nowhere/program: No such file or directory.")
    }

    @Test
    func `the bond kills what is left of the group`() async throws {
        let child = try ChildProcess(shell("sleep 600 & exit 0"), endsWithParent: true)
        let group = getpgid(child.pid)
        #expect(await child.wait() == .exited(0))
        if group > 0 { while kill(-group, 0) == 0 { await Task.yield() } }
    }
}
