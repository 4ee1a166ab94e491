/// Something that graphd does, to be repeated and counted.
struct Operation: Sendable {
    /// Does it once; the number says which repetition, warm-up included.
    typealias Once = (Int) async throws -> Void

    let name: String
    let warmUp: Int
    /// In each batch.
    let repetitions: Int
    /// Sets up what the operation needs in `site`, and hands it over to be repeated.
    let run: @Sendable (_ site: Site, _ measure: (Once) async throws -> Void) async throws -> Void

    init(
        _ name: String, warmUp: Int = 4, repetitions: Int,
        _ run: @escaping @Sendable (_ site: Site, _ measure: (Once) async throws -> Void) async throws -> Void
    ) {
        self.name = name
        self.warmUp = warmUp
        self.repetitions = repetitions
        self.run = run
    }

    static let batches = 3

    /// Of what batches have cost, what one execution costs: of each count the least, as what comes on top is work that
    /// went on beside, such as the outbox being settled.
    static func leastOfBatches(_ batches: [Figures], repetitions: Int) -> Figures {
        batches.reduce(into: [:]) { least, figures in
            least.merge(figures.mapValues { $0 / Double(repetitions) }) { min($0, $1) }
        }
    }

    static let all = reads + writes + pushes

    static func named(_ name: String) throws -> Operation {
        guard let found = (all + SelfTest.probes).first(where: { $0.name == name }) else {
            throw BenchmarkError("there is no operation '\(name)'")
        }
        return found
    }
}
