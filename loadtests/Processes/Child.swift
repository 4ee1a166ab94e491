import Foundation
import Synchronization

/// A program that runs beside this one. (Foundation's `waitUntilExit` needs the run loop of the thread that started
/// the process, which a task does not keep.)
final class Child: Sendable {
    private let process: Mutex<Process>
    private let ended = DispatchSemaphore(value: 0)

    init(_ path: String, _ arguments: [String], output: Pipe? = nil) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        if let output { process.standardOutput = output } else { process.standardOutput = FileHandle.nullDevice }
        process.terminationHandler = { [ended] _ in ended.signal() }
        try process.run()
        self.process = Mutex(process)
    }

    var identifier: Int32 { process.withLock { $0.processIdentifier } }

    /// Blocks until it has ended; its status. To be called once.
    func wait() -> Int32 {
        ended.wait()
        return process.withLock { $0.terminationStatus }
    }

    /// Ends it with `signal`, and blocks until it has ended. (A child inherits the blocked signals of the thread that
    /// started it, so that one which does not unblock SIGTERM itself only hears SIGKILL.)
    func stop(signal: Int32 = SIGTERM) {
        kill(identifier, signal)
        _ = wait()
    }
}
