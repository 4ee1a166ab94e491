import ArgumentParser
import Discovery

/// Prints how often the intervals of trends contain the true share, in the format of
/// `docs/decisions/0013-business-trends.md` and `0073-young-trends.md`.
struct TrendsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trends",
        abstract: "Simulate how often the 95 % intervals of trends hold the true share.")

    @Option(help: "Rated draws of each cell.")
    var samples = 2_000

    @Option(help: "Seed of the random draws.")
    var seed: UInt64 = 1

    @Flag(help: "Print every cell instead of the worst one.")
    var all = false

    @Flag(help: "Simulate topics and posts younger than two periods.")
    var young = false

    func run() async throws {
        guard samples > 0 else { throw ValidationError("--samples must be at least 1") }
        if young { return printYoung() }
        let simulation = CoverageSimulation(seed: seed, samples: samples)
        let singles = CoverageTable(simulation.run(CoverageCell.singles))
        let topics = CoverageTable(simulation.run(CoverageCell.topics))
        print("Single posts: \(singles.summary)\n\(singles.cells(all ? .max : 3))\n")
        print("Topics: \(topics.summary)\n\(topics.grid)\n\n\(topics.cells(all ? .max : 8))")
    }

    private func printYoung() {
        let simulation = CoverageSimulation(seed: seed, samples: samples)
        let singles = CoverageTable(simulation.run(CoverageCell.youngSingles))
        print("Young posts: \(singles.summary)\n\(singles.cells(all ? .max : 3))\n")
        let topics = CoverageTable(simulation.run(CoverageCell.young))
        print("Young topics: \(topics.summary)\n\(topics.histories)\n\n\(topics.cells(all ? .max : 8))\n")
        // Whole periods alone, as before there was a prior, and without it.
        for (name, lengths) in [("As if established", PeriodLengths.equal), ("Lengths observed, no prior", nil)] {
            let other = CoverageSimulation(seed: seed, samples: samples) { posts, observed in
                guard lengths != nil || observed.earlier > 0 else { return nil }
                let whole = PeriodLengths(later: observed.later, earlier: observed.earlier)
                return TrendStatistics(posts: posts, lengths: lengths ?? whole)
            }
            print("\(name): \(CoverageTable(other.run(CoverageCell.young)).summary)")
        }
        for (name, cells) in CoverageCell.unlikePrior {
            print("Unlike the prior, \(name): \(CoverageTable(simulation.run(cells)).summary)")
        }
    }
}

/// Outcomes of a simulation as tables in Markdown.
private struct CoverageTable {
    private let outcomes: [CoverageSimulation.Outcome]

    init(_ outcomes: [CoverageSimulation.Outcome]) { self.outcomes = outcomes }

    var summary: String {
        let within = outcomes.filter { (0.93...0.97).contains($0.coverage) }.count
        let coverage = outcomes.map(\.coverage)
        return "\(outcomes.count) cells are rated, mean coverage \(Self.mean(outcomes)), \(within) within 93 to 97 %, "
            + "\(Self.percent(coverage.min() ?? 0)) to \(Self.percent(coverage.max() ?? 0))"
    }

    /// A table with histories down, numbers of posts across: coverage and mean width.
    var histories: String {
        let posts = Set(outcomes.map(\.cell.posts)).sorted()
        var lines = [
            Self.line(["Periods of history"] + posts.map { "\($0) posts" }),
            "|" + String(repeating: "---|", count: posts.count + 1),
        ]
        for history in Set(outcomes.map(\.cell.history)).sorted() {
            let means = posts.map { count in
                let alike = outcomes.filter { $0.cell.history == history && $0.cell.posts == count }
                let width = alike.reduce(0) { $0 + $1.meanWidth } / Double(max(alike.count, 1))
                return "\(Self.mean(alike)), width \(Self.percent(width))"
            }
            lines.append(Self.line(["\(history)"] + means))
        }
        return lines.joined(separator: "\n")
    }

    /// A table with sizes and correlations down, numbers of posts across.
    var grid: String {
        let posts = Set(outcomes.map(\.cell.posts)).sorted()
        let correlations = Set(outcomes.map(\.cell.correlation)).sorted()
        var lines = [
            Self.line(["Sizes", "Correlation"] + posts.map { "\($0) posts" }),
            "|" + String(repeating: "---|", count: posts.count + 2),
        ]
        for sizes in CoverageCell.Sizes.allCases {
            for correlation in correlations {
                let alike = outcomes.filter { $0.cell.sizes == sizes && $0.cell.correlation == correlation }
                let means = posts.map { count in Self.mean(alike.filter { $0.cell.posts == count }) }
                lines.append(Self.line([sizes.rawValue, "\(correlation)"] + means))
            }
        }
        return lines.joined(separator: "\n")
    }

    /// Returns the `count` cells that are furthest from 95 %, furthest first.
    func cells(_ count: Int) -> String {
        let names = [
            "Posts", "Engagements a post", "Sizes", "Correlation", "Share", "Periods of history", "Coverage",
            "Mean width", "Rated",
        ]
        var lines = [Self.line(names), "|" + String(repeating: "---|", count: names.count)]
        for outcome in outcomes.sorted(by: { abs($0.coverage - 0.95) > abs($1.coverage - 0.95) }).prefix(count) {
            let cell = outcome.cell
            lines.append(
                Self.line([
                    "\(cell.posts)", "\(Int(cell.engagements))", cell.sizes.rawValue, "\(cell.correlation)",
                    cell.truth.text, "\(cell.history)", Self.percent(outcome.coverage), Self.percent(outcome.meanWidth),
                    Self.percent(outcome.rated),
                ]))
        }
        return lines.joined(separator: "\n")
    }

    private static func line(_ fields: [String]) -> String { "| \(fields.joined(separator: " | ")) |" }

    private static func mean(_ outcomes: [CoverageSimulation.Outcome]) -> String {
        guard !outcomes.isEmpty else { return "not rated" }
        return percent(outcomes.reduce(0) { $0 + $1.coverage } / Double(outcomes.count))
    }

    private static func percent(_ share: Double) -> String {
        let tenths = Int((share * 1_000).rounded())
        return "\(tenths / 10).\(tenths % 10) %"
    }
}

extension CoverageCell.Truth {
    fileprivate var text: String {
        switch self {
        case .fixed(let share): "\(share)"
        case .beta(let weight): "beta \(weight)"
        }
    }
}
