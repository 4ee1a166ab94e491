import Foundation
import Glibc
import Processes
import Synchronization

/// One run of the real `graphd` binary, and its standard error.
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

    var pid: pid_t { process.pid }
    private let process: ChildProcess
    private let state = Mutex(State())

    /// The binary that was built with this test bundle, in the same directory.
    static var executable: String {
        get throws {
            let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            return URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent("graphd").path
        }
    }

    /// Files for standard input and output, and environment variables.
    struct Surroundings: Sendable {
        var input = "/dev/null"
        var output = "/dev/null"
        var environment: [String: String] = [:]
    }

    /// Starts `graphd`, or another program, in a process group of its own. It inherits no files, and its only settings
    /// are those in `arguments` and `surroundings`.
    init(
        _ arguments: [String], executable: String? = nil, _ surroundings: Surroundings = Surroundings()
    ) throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw EndedEarly(description: "there is no pipe for graphd") }
        let source = ends[0]
        defer { close(ends[1]) }
        do {
            process = try Self.start(executable, arguments, surroundings, standardError: ends[1])
        } catch {
            close(source)
            throw error
        }
        // Reads on a thread, because a read blocks for as long as the process lives.
        let thread = Thread { [self] in
            read(from: source)
            close(source)
            noteEnd()
        }
        thread.name = "graphd standard error"
        thread.start()
    }

    var lines: [String] { state.withLock { $0.lines } }
    var isRunning: Bool { state.withLock { $0.end == nil } }

    /// Signals the process. Does nothing once it has been reaped, because its id may belong to another process by then.
    func signal(_ signal: Int32) { process.signal(signal) }

    /// The first line that matches, past or future. Throws ``EndedEarly`` if the process ends without it.
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

    /// Kills the process if the test times out, so that the test does not wait for a process that hangs.
    private func killingOnCancellation<T>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> T
    ) async rethrows -> T {
        try await withTaskCancellationHandler(operation: body, onCancel: { self.signal(SIGKILL) })
    }

    private static func start(
        _ other: String?, _ arguments: [String], _ surroundings: Surroundings, standardError: Int32
    ) throws -> ChildProcess {
        let settings = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("GRAPHD_") }
            .merging(surroundings.environment) { $1 }
        var launch = Launch(try other ?? executable, arguments, environment: settings)
        launch.input = .path(surroundings.input)
        launch.output = .path(surroundings.output)
        launch.error = .descriptor(standardError)
        return try ChildProcess(launch)
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

    private func noteEnd() {
        let end: End =
            switch process.waitBlocking() {
            case .exited(let status): .exited(status)
            case .signalled(let signal): .signalled(signal)
            }
        let state = state.withLock { state in
            state.end = end
            defer { (state.lineWaiters, state.endWaiters) = ([], []) }
            return state
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
