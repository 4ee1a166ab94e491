import Synchronization

/// Several clients, each of which starts its next request when the previous one is answered.
struct ClosedLoop {
    let concurrency: Int

    /// Runs `body` `count` times, started in order. Returns the time of each.
    func run(_ count: Int, _ body: @escaping @Sendable (Int) async throws -> Void) async throws -> [Duration] {
        let turns = Turns()
        let results = try await withThrowingTaskGroup(of: [(Int, Duration)].self) { group in
            for _ in 0..<concurrency {
                group.addTask {
                    var taken: [(Int, Duration)] = []
                    while true {
                        let number = turns.take()
                        guard number < count else { return taken }
                        let start = ContinuousClock.now
                        try await body(number)
                        taken.append((number, start.duration(to: .now)))
                    }
                }
            }
            var results: [(Int, Duration)] = []
            for try await taken in group { results += taken }
            return results
        }
        var durations = Array(repeating: Duration.zero, count: count)
        for (number, duration) in results { durations[number] = duration }
        return durations
    }
}

/// The next number to run, from 0.
private final class Turns: Sendable {
    private let next = Atomic(0)

    func take() -> Int { next.add(1, ordering: .relaxed).oldValue }
}
