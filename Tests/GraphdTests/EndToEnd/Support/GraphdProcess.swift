import Foundation
import Glibc
import Synchronization

/// One run of the real `graphd` binary, with what it wrote to standard error.
final class GraphdProcess: Sendable {
    enum End: Sendable, Equatable {
        case exited(Int32)
        case signalled(Int32)
    }

    struct EndedEarly: Error, CustomStringConvertible {
        let description: String
    }

    private struct State {
        var lines: [String] = []
        var end: End?
        var lineWaiters: [(matches: @Sendable (String) -> Bool, CheckedContinuation<String, any Error>)] = []
        var endWaiters: [CheckedContinuation<End, Never>] = []
    }

    let pid: pid_t
    private static let turn = Mutex<Void>(())
    private let state = Mutex(State())

    /// The binary that was built with this test bundle: it lies beside it.
    static var executable: String {
        get throws {
            let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            return URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent("graphd").path
        }
    }

    /// Files that stand for standard input and output, and variables of the environment.
    struct Surroundings: Sendable {
        var input = "/dev/null"
        var output = "/dev/null"
        var environment: [String: String] = [:]
    }

    /// Starts it, or another program, in a process group of its own, with no file inherited and no setting but those in
    /// `arguments` and `surroundings`.
    init(
        _ arguments: [String], executable: String? = nil, _ surroundings: Surroundings = Surroundings()
    ) throws {
        // A process that inherited the pipe of another would keep it open after that one's end.
        let (pid, source) = try Self.turn.withLock { _ in
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { throw EndedEarly(description: "there is no pipe for graphd") }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            defer { close(ends[1]) }
            do {
                return (try Self.spawn(executable, arguments, surroundings, standardError: ends[1]), ends[0])
            } catch {
                close(ends[0])
                throw error
            }
        }
        self.pid = pid
        // Reading blocks for as long as the process lives.
        let thread = Thread { [self] in
            read(from: source)
            close(source)
            reap()
        }
        thread.name = "graphd standard error"
        thread.start()
    }

    var lines: [String] { state.withLock { $0.lines } }

    /// Does nothing once the process has been reaped: its id may be another's by then.
    func signal(_ signal: Int32) {
        state.withLock { if $0.end == nil { _ = kill(pid, signal) } }
    }

    /// The first line that matches, past or to come. Throws ``EndedEarly`` where the process ends without it.
    func line(where matches: @escaping @Sendable (String) -> Bool) async throws -> String {
        try await killingOnCancellation {
            try await withCheckedThrowingContinuation { continuation in
                let known: Result<String, any Error>? = state.withLock { state in
                    if let line = state.lines.first(where: matches) { return .success(line) }
                    if state.end != nil { return .failure(Self.early(state)) }
                    state.lineWaiters.append((matches, continuation))
                    return nil
                }
                if let known { continuation.resume(with: known) }
            }
        }
    }

    func wait() async -> End {
        await killingOnCancellation {
            await withCheckedContinuation { continuation in
                let end = state.withLock { state in
                    if state.end == nil { state.endWaiters.append(continuation) }
                    return state.end
                }
                if let end { continuation.resume(returning: end) }
            }
        }
    }

    /// A test that has run out of time must not wait for a process that hangs.
    private func killingOnCancellation<T>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> T
    ) async rethrows -> T {
        try await withTaskCancellationHandler(operation: body, onCancel: { self.signal(SIGKILL) })
    }

    private static func spawn(
        _ other: String?, _ arguments: [String], _ surroundings: Surroundings, standardError: Int32
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_addopen(&actions, 0, surroundings.input, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, surroundings.output, O_WRONLY | O_CREAT, 0o600)
        posix_spawn_file_actions_adddup2(&actions, standardError, 2)
        for descriptor in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init)
        where descriptor > 2 {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))
        let path = try other ?? executable
        let settings = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("GRAPHD_") }
            .merging(surroundings.environment) { $1 }
        var argv = ([path] + arguments).map { strdup($0) } + [nil]
        var environment = settings.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in argv + environment { free(text) } }
        var child: pid_t = 0
        let status = posix_spawn(&child, path, &actions, &attributes, &argv, &environment)
        guard status == 0 else {
            throw EndedEarly(description: "cannot start \(path): \(String(cString: strerror(status)))")
        }
        return child
    }

    private func read(from source: Int32) {
        var rest: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(source, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            rest += buffer[..<count]
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                note(String(decoding: rest[..<end], as: UTF8.self))
                rest.removeSubrange(...end)
            }
        }
        if !rest.isEmpty { note(String(decoding: rest, as: UTF8.self)) }
    }

    private func note(_ line: String) {
        let ready = state.withLock { state in
            state.lines.append(line)
            let ready = state.lineWaiters.filter { $0.matches(line) }.map(\.1)
            state.lineWaiters.removeAll { $0.matches(line) }
            return ready
        }
        for waiter in ready { waiter.resume(returning: line) }
    }

    private func reap() {
        var info = siginfo_t()
        // Without reaping: until the lock below is held, the id stays this child's.
        while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) == -1, errno == EINTR {}
        let (end, state) = state.withLock { state in
            var status: Int32 = 0
            while waitpid(pid, &status, 0) == -1, errno == EINTR {}
            let signal = status & 0x7F
            let end: End = signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
            state.end = end
            defer { (state.lineWaiters, state.endWaiters) = ([], []) }
            return (end, state)
        }
        for waiter in state.endWaiters { waiter.resume(returning: end) }
        for waiter in state.lineWaiters { waiter.1.resume(throwing: Self.early(state)) }
    }

    private static func early(_ state: State) -> EndedEarly {
        EndedEarly(
            description: "graphd ended early (\(state.end.map { "\($0)" } ?? "running")); its last lines:\n"
                + state.lines.suffix(5).joined(separator: "\n"))
    }
}
