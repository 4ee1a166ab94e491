import SocialGraph
import Timeline

/// Shows that every count rises with its subject, and that a count that is too high fails the check.
enum SelfTest {
    /// A statement and a Redis command, once and twice.
    static let probes = [probe("probe", times: 1), probe("probe, twice", times: 2)]

    private static func probe(_ name: String, times: Int) -> Operation {
        Operation(name, batches: 16, repetitions: 4) { site, measure in
            try await site.withTimelines { timelines in
                try await measure { _ in
                    for _ in 0..<times {
                        _ = try await timelines.graph.changes.latestChange()
                        let answers = await timelines.service.shardsAnswer()
                        guard answers.allSatisfy(\.self) else { throw BenchmarkError("no answer") }
                    }
                }
            }
        }
    }

    static func passes() async throws -> Bool {
        let measured = try await Bench.measure(probes)
        guard let once = measured["probe"], let twice = measured["probe, twice"] else { return false }
        var faults: [String] = []
        for measure in Measure.allCases {
            let ratio = twice[measure, default: 0] / once[measure, default: 0]
            // The number of times that a thread has to be woken is not exactly doubled.
            let expected = measure.dependsOnToolchain ? 1.3...2.8 : 1.9...2.1
            if !expected.contains(ratio) { faults.append("twice the work is \(ratio) times the \(measure.title)") }
        }
        faults += judgementFaults(once)
        for fault in faults { print("benchmarks: self-test: \(fault)") }
        return faults.isEmpty
    }

    private static func judgementFaults(_ figures: Figures) -> [String] {
        let thresholds = Thresholds(toolchain: "this", operations: ["probe": figures])
        func passes(_ changed: Figures?, on toolchain: String = "this") -> Bool {
            Judgement(of: changed.map { ["probe": $0] } ?? [:], by: thresholds, on: toolchain).passes
        }
        var faults: [String] = []
        if !passes(figures) { faults.append("what was measured is over itself") }
        if passes(nil) { faults.append("an operation that is not measured passes") }
        if Judgement(of: ["other": figures], by: thresholds, on: "this").passes {
            faults.append("an operation without thresholds passes")
        }
        for measure in Measure.allCases {
            var more = figures
            more[measure, default: 0] *= 1.1
            if passes(more) { faults.append("a tenth more \(measure.title) passes") }
            if passes(more, on: "another") != measure.dependsOnToolchain {
                faults.append("\(measure.title) on another toolchain: the wrong verdict")
            }
        }
        return faults
    }
}
