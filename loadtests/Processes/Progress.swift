import Foundation
import Synchronization

/// The progress of a load test on standard error: lines, each with the time since the start. On a terminal there is a
/// bar below them, redrawn every second.
enum Progress {
    private struct State {
        var steps = 0
        var done = 0
        var title = ""
    }

    private static let state = Mutex(State())
    private static let start = ContinuousClock.now
    private static let isTerminal = isatty(STDERR_FILENO) == 1
    private static let width = 30

    static func say(_ line: String) { state.withLock { write(line, $0) } }

    /// Announces the number of steps.
    static func begin(steps: Int) {
        state.withLock { $0.steps = steps }
        guard isTerminal else { return }
        Thread.detachNewThread {
            // Ends with the program.
            while true {
                Thread.sleep(forTimeInterval: 1)
                state.withLock { if $0.steps > 0 { put("\r\u{1B}[2K" + bar($0)) } }
            }
        }
    }

    /// Begins the next step.
    static func step(_ title: String) {
        state.withLock {
            if !$0.title.isEmpty { $0.done += 1 }
            $0.title = title
            write("[\($0.done + 1)/\($0.steps)] \(title)", $0)
        }
    }

    static func end() {
        state.withLock {
            $0 = State()
            if isTerminal { put("\r\u{1B}[2K") }
        }
    }

    private static func write(_ line: String, _ state: State) {
        guard isTerminal, state.steps > 0 else { return put("\(elapsed)  \(line)\n") }
        put("\r\u{1B}[2K\(elapsed)  \(line)\n\(bar(state))")
    }

    private static func bar(_ state: State) -> String {
        let filled = state.steps > 0 ? state.done * width / state.steps : 0
        let drawn = String(repeating: "=", count: filled) + ">" + String(repeating: " ", count: width - filled)
        return "\(elapsed)  [\(drawn)] \(state.done + 1)/\(state.steps)  \(state.title)"
    }

    private static var elapsed: String {
        let seconds = Int(start.duration(to: .now) / .seconds(1))
        return String(format: "%3d:%02d", seconds / 60, seconds % 60)
    }

    private static func put(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
