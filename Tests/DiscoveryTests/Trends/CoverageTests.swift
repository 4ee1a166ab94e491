import TestSupport
import Testing

@testable import Discovery
@testable import evaluations

/// Coverage of the 95 % interval, which must contain the true value in 93 to 97 of 100 draws.
/// `docs/decisions/0013-business-trends.md` has the table; these are the same cells with fewer draws.
@Suite(.timeLimit(.model))
struct CoverageTests {
    private static let samples = 60

    private static func mean(_ outcomes: [CoverageSimulation.Outcome]) -> Double {
        outcomes.reduce(0) { $0 + $1.coverage } / Double(outcomes.count)
    }

    @Test
    func `intervals of single posts cover as they say`() {
        let outcomes = CoverageSimulation(seed: 20_261_121, samples: 500).run(CoverageCell.singles)
        #expect(outcomes.count == CoverageCell.singles.count)
        #expect((0.94...0.96).contains(Self.mean(outcomes)))
        for outcome in outcomes { #expect((0.91...0.99).contains(outcome.coverage), "\(outcome)") }
    }

    @Test
    func `intervals of topics cover as they say, whatever the sizes of posts and however they differ`() {
        let outcomes = CoverageSimulation(seed: 20_261_121, samples: Self.samples).run(CoverageCell.topics)
        #expect(outcomes.count > CoverageCell.topics.count * 3 / 4)
        #expect((0.94...0.97).contains(Self.mean(outcomes)))
        for outcome in outcomes { #expect(outcome.coverage > 0.8, "\(outcome)") }
        for sizes in CoverageCell.Sizes.allCases {
            for correlation in [0, 0.05, 0.2, 0.5, 0.8] {
                let alike = outcomes.filter { $0.cell.sizes == sizes && $0.cell.correlation == correlation }
                #expect((0.92...0.98).contains(Self.mean(alike)), "\(sizes) \(correlation)")
            }
        }
    }

    @Test
    func `an interval that takes clustered trials for independent ones is noticed`() {
        let naive = CoverageSimulation(seed: 1, samples: Self.samples) { posts, _ in
            TrendStatistics(posts.reduce(into: PeriodCounts()) { $0.add($1) })
        }
        let clustered = CoverageCell.topics.filter { $0.correlation == 0.2 }
        #expect(Self.mean(naive.run(clustered)) < 0.8)
    }

    @Test
    func `intervals of young posts cover as they say`() {
        let outcomes = CoverageSimulation(seed: 20_261_127, samples: 300).run(CoverageCell.youngSingles)
        #expect(outcomes.count == CoverageCell.youngSingles.count)
        #expect((0.94...0.96).contains(Self.mean(outcomes)))
        for outcome in outcomes { #expect((0.9...0.99).contains(outcome.coverage), "\(outcome)") }
    }

    @Test
    func `intervals of young topics cover as they say, however short the history`() {
        let cells = CoverageCell.young
        let outcomes = CoverageSimulation(seed: 20_261_127, samples: 30).run(cells)
        #expect(outcomes.count > cells.count * 2 / 3)
        #expect((0.94...0.965).contains(Self.mean(outcomes)))
        for outcome in outcomes { #expect(outcome.coverage > 0.73, "\(outcome)") }
        for history in Set(cells.map(\.history)) {
            let alike = outcomes.filter { $0.cell.history == history }
            #expect((0.93...0.97).contains(Self.mean(alike)), "\(history)")
        }
    }

    @Test
    func `a young topic taken for an established one is noticed`() {
        let naive = CoverageSimulation(seed: 1, samples: Self.samples) { posts, _ in TrendStatistics(posts: posts) }
        let young = CoverageCell.young.filter { $0.history < 1.2 && $0.posts == 40 && $0.correlation == 0.05 }
        #expect(Self.mean(naive.run(young)) < 0.3)
    }

    @Test
    func `the same seed draws the same`() {
        let cells = Array(CoverageCell.topics.prefix(3))
        func covered(_ seed: UInt64) -> [Int] { CoverageSimulation(seed: seed, samples: 50).run(cells).map(\.covered) }
        #expect(covered(3) == covered(3))
    }

    @Test
    func `draws have the means of their distributions`() {
        var random = RandomDraws(seed: 5)
        func mean(_ draw: (inout RandomDraws) -> Double) -> Double {
            (0..<20_000).reduce(0) { sum, _ in sum + draw(&random) } / 20_000
        }
        #expect(abs(mean { $0.uniform() } - 0.5) < 0.02)
        #expect(abs(mean { $0.normal() }) < 0.05)
        #expect(
            abs(
                mean {
                    let x = $0.normal(); return x * x
                } - 1) < 0.05)
        #expect(abs(mean { Double($0.poisson(3)) } - 3) < 0.1)
        #expect(abs(mean { Double($0.poisson(40)) } - 40) < 0.3)
        #expect(abs(mean { $0.gamma(0.7) } - 0.7) < 0.05)
        #expect(abs(mean { $0.gamma(4) } - 4) < 0.1)
        #expect(abs(mean { $0.beta(0.2, 0.6) } - 0.25) < 0.02)
    }
}
