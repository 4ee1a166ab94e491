import Dispatch
import Foundation

/// Counts the cost of operations, and compares the counts with thresholds. Started by `tools/benchmarks`.
@main
struct Benchmarks {
    /// Not async: the main thread would end up in `sigsuspend`, with a mask in read-only memory that valgrind writes
    /// to.
    static func main() {
        // Owner: the process, which ends with it.
        Task.detached {
            do {
                exit(try await run(Array(CommandLine.arguments.dropFirst())) ? 0 : 1)
            } catch {
                try? FileHandle.standardError.write(contentsOf: Data("benchmarks: \(error)\n".utf8))
                exit(2)
            }
        }
        DispatchSemaphore(value: 0).wait()
    }

    /// Returns true if every check passes.
    private static func run(_ arguments: [String]) async throws -> Bool {
        switch (arguments.first, arguments.count) {
        case ("check", 3):
            let thresholds = try Thresholds(path: arguments[1])
            let judgement = Judgement(of: try await Bench.measure(Operation.all), by: thresholds, on: arguments[2])
            print(judgement.table)
            return judgement.passes
        case ("update", 3):
            let measured = try await Bench.measure(Operation.all)
            try Thresholds(toolchain: arguments[2], operations: measured).write(to: arguments[1])
            return true
        case ("self-test", 1):
            return try await SelfTest.passes()
        case ("measure", 4):
            try await Repetition.run(Operation.named(arguments[1]), in: arguments[2], Repetition.Purpose(arguments[3]))
            return true
        default:
            throw BenchmarkError("usage: benchmarks check|update THRESHOLDS TOOLCHAIN, or benchmarks self-test")
        }
    }
}

struct BenchmarkError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
