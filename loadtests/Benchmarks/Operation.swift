/// An operation of graphd, to be repeated and counted.
struct Operation: Sendable {
    /// Performs it once; the number is that of the repetition, including warm-up.
    typealias Once = (Int) async throws -> Void

    let name: String
    let warmUp: Int
    /// Number of batches. Beside timelines, timers fire a few times a second: short batches are mostly without them.
    let batches: Int
    /// Repetitions in each batch.
    let repetitions: Int
    /// True if each repetition moves from thread to thread and back through Redis. The number of sleeping threads then
    /// differs, so its instructions and allocations are shown and not judged.
    let changesThreads: Bool
    /// Sets up the operation in `site`, and passes it on to be repeated.
    let run: @Sendable (_ site: Site, _ measure: (Once) async throws -> Void) async throws -> Void

    init(
        _ name: String, warmUp: Int = 4, batches: Int = 3, repetitions: Int,
        changesThreads: Bool = false,
        _ run: @escaping @Sendable (_ site: Site, _ measure: (Once) async throws -> Void) async throws -> Void
    ) {
        self.name = name
        self.warmUp = warmUp
        self.batches = batches
        self.repetitions = repetitions
        self.changesThreads = changesThreads
        self.run = run
    }

    /// Returns the cost of one execution from those of batches: the median of each count. Some batches had other work
    /// beside them, and in some a thread was still awake that usually has to be woken.
    func median(ofBatches figures: [Figures]) -> Figures {
        var median: Figures = [:]
        for measure in Measure.allCases {
            let counts = figures.compactMap { $0[measure] }.sorted()
            if !counts.isEmpty { median[measure] = counts[counts.count / 2] / Double(repetitions) }
        }
        return median
    }

    static let all = reads + writes + pushes

    /// Returns true if a count of the operation is the same in each run of one program.
    static func repeats(_ measure: Measure, in name: String) -> Bool {
        !measure.dependsOnToolchain || all.first { $0.name == name }?.changesThreads != true
    }

    static func named(_ name: String) throws -> Operation {
        guard let found = (all + SelfTest.probes).first(where: { $0.name == name }) else {
            throw BenchmarkError("there is no operation '\(name)'")
        }
        return found
    }
}
