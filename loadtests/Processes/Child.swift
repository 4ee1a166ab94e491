import Foundation
import Synchronization

/// A program that runs beside this one, and that ends when this one does, however that ends.
/// (Foundation's `waitUntilExit` needs the run loop of the thread that started the process, which a task does not
/// keep.)
final class Child: Sendable {
    private let process: Mutex<Process>
    private let ended = DispatchSemaphore(value: 0)
    private let isStopped = Atomic(false)

    init(_ path: String, _ arguments: [String], output: Pipe? = nil) throws {
        let process = Process()
        let command = Self.boundToUs([path] + arguments)
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        if let output { process.standardOutput = output } else { process.standardOutput = FileHandle.nullDevice }
        process.terminationHandler = { [ended] _ in ended.signal() }
        self.process = Mutex(process)
        try Nursery.shared.run { try self.process.withLock { try $0.run() } }
    }

    var identifier: Int32 { process.withLock { $0.processIdentifier } }

    /// Blocks until it has ended; its status. To be called once.
    func wait() -> Int32 {
        ended.wait()
        return process.withLock { $0.terminationStatus }
    }

    /// Ends it with `signal`, and blocks until it has ended. A second time it does nothing.
    func stop(signal: Int32 = SIGTERM) {
        guard !isStopped.exchange(true, ordering: .relaxed) else { return }
        kill(identifier, signal)
        _ = wait()
    }

    private static let setpriv = try? Program.find("setpriv")

    /// The kernel sends SIGTERM when the thread that started a child is gone (`prctl(PR_SET_PDEATHSIG)`), which
    /// Debian's setpriv asks for before it becomes the program. Without setpriv, a child may be left behind.
    private static func boundToUs(_ command: [String]) -> [String] {
        guard let setpriv else { return command }
        return [setpriv, "--pdeathsig", "TERM", "--"] + command
    }
}

/// The thread that starts all children and lives as long as this program. (Threads of a pool end when they have nothing
/// to do, and with them the children that they started. They also have signals blocked, which children inherit: pgbench
/// would wait for its alarm for ever.)
private final class Nursery: Sendable {
    static let shared = Nursery()

    private let waiting = Mutex<[@Sendable () -> Void]>([])
    private let isAsked = DispatchSemaphore(value: 0)

    private init() {
        Thread.detachNewThread { self.work() }
    }

    private func work() -> Never {
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        while true {
            isAsked.wait()
            let next = waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            next?()
        }
    }

    /// Runs `body` on the thread, and blocks until it has run.
    func run(_ body: @escaping @Sendable () throws -> Void) throws {
        let done = DispatchSemaphore(value: 0)
        let outcome = Mutex<(any Error)?>(nil)
        waiting.withLock {
            $0.append {
                do { try body() } catch { outcome.withLock { $0 = error } }
                done.signal()
            }
        }
        isAsked.signal()
        done.wait()
        if let error = outcome.withLock({ $0 }) { throw error }
    }
}
