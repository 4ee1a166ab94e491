/// Something that graphd does, to be repeated and counted.
struct Operation: Sendable {
    /// Does it once; the number says which repetition, warm-up included.
    typealias Once = (Int) async throws -> Void

    let name: String
    let warmUp: Int
    /// Beside timelines, timers go off a few times a second: where batches are short, most are without them.
    let batches: Int
    /// In each batch.
    let repetitions: Int
    /// Each repetition goes from thread to thread and back through Redis. How many of them sleep by then differs, so
    /// its instructions and allocations are shown and not judged.
    let changesThreads: Bool
    /// Sets up what the operation needs in `site`, and hands it over to be repeated.
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

    /// Of what batches have cost, what one execution costs: the median of each count, as beside some of the batches
    /// other work went on, and in some a thread was still awake that mostly has to be woken.
    func median(ofBatches figures: [Figures]) -> Figures {
        var median: Figures = [:]
        for measure in Measure.allCases {
            let counts = figures.compactMap { $0[measure] }.sorted()
            if !counts.isEmpty { median[measure] = counts[counts.count / 2] / Double(repetitions) }
        }
        return median
    }

    static let all = reads + writes + pushes

    /// Whether a count of the operation is the same in each run of one program.
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
