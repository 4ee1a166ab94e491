import Foundation
import Logging
import RedisClient
import Synchronization

/// The process that measures one operation: sets it up, warms it up, and repeats it in batches that a profiler can
/// distinguish.
enum Repetition {
    enum Purpose: String {
        /// Statements and Redis are counted.
        case counting
        /// Nothing is added that costs instructions.
        case profiling

        init(_ name: String) throws {
            guard let purpose = Purpose(rawValue: name) else { throw BenchmarkError("what is '\(name)' for?") }
            self = purpose
        }
    }

    static func file(in directory: String) -> String { directory + "/figures.json" }

    /// Writes the counts for one execution of `operation` to ``file(in:)``.
    static func run(_ operation: Operation, in directory: String, _ purpose: Purpose) async throws {
        let (statements, roundTrips) = (Counter(), Counter())
        let isCounting = purpose == .counting
        let site = Site(
            directory: directory, statements: isCounting ? statements : nil, roundTrips: isCounting ? roundTrips : nil)
        let connection = try RedisConnection(configuration: site.redis, name: "counts", logger: Site.silence)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await connection.run() }
            try await connection.waitUntilUp()
            var batches: [Figures] = []
            try await operation.run(site) { once in
                var number = 0
                func repeated(_ times: Int) async throws {
                    for _ in 0..<times {
                        try await once(number)
                        number += 1
                    }
                }
                try await repeated(operation.warmUp)
                // The difference between two looks is the cost of a look.
                let first = try await RedisCounts.read(over: connection)
                let look = try await RedisCounts.read(over: connection).since(first)
                for _ in 0..<operation.batches {
                    // Timers that became due while the last profile was written fire before the next batch.
                    try await Task.sleep(for: .milliseconds(50))
                    let redis = try await RedisCounts.read(over: connection)
                    let (statementsBefore, roundTripsBefore) = (statements.value, roundTrips.value)
                    batchBegins()
                    try await repeated(operation.repetitions)
                    batchEnds()
                    let statementCount = statements.value - statementsBefore
                    let roundTripCount = roundTrips.value - roundTripsBefore
                    let done = try await RedisCounts.read(over: connection).since(redis)
                    batches.append([
                        .statements: Double(statementCount), .roundTrips: Double(roundTripCount),
                        .redisCommands: Double(done.commands), .redisBytes: Double(done.bytes - look.bytes),
                    ])
                }
            }
            let figures = operation.median(ofBatches: batches)
            try JSONEncoder().encode(figures).write(to: URL(fileURLWithPath: file(in: directory)))
            // Concurrent work ends with the process.
            exit(0)
        }
    }
}

/// The two functions below have different bodies only so that the compiler does not merge them.
private let marks = Counter()

/// Resets callgrind's counts whenever it is called: see ``Callgrind``.
@inline(never)
private func batchBegins() { marks.set(0) }

/// Writes callgrind's counts whenever it is called.
@inline(never)
private func batchEnds() { marks.next() }
