import Histogram
import TestSupport
import Testing

@testable import loadtests

@Suite(.timeLimit(.unit))
struct ScheduledRunsTests {
    private func runs(_ p99: [Double], behind: Int = 0) throws -> ScheduledRuns {
        let times = try ProcessorTimes(stat: "cpu 1 2 3 4 5 6 7 8", ticksPerSecond: 100)
        let calm = Disturbance(
            late: Histogram(numberOfSignificantValueDigits: .three), before: times, after: times, ours: 0, seconds: 1)
        return ScheduledRuns(
            key: "last_follower", perSecond: 40, unit: "posts", origin: .stored, arrivals: "evenly spaced", allowed: 1,
            runs: p99.enumerated().map { number, slow in
                var latencies = Spread()
                for post in 0..<1_000 { latencies.add(post < 985 ? 10.0 : slow) }
                var backlog = Backlog()
                for _ in 0..<1_000 { backlog.add(number < behind ? 2 : 0) }
                return .init(latencies, reference: 8, backlog, allowed: 1, idle: calm, busy: calm)
            })
    }

    @Test func `runs disagree by the greatest ratio to the least`() throws {
        #expect(abs(try runs([20, 24, 22]).disagreement - 1.2) < 1e-9)
        #expect(try runs([20]).disagreement == 1)
        #expect(ScheduledRuns.disagreement([]) == 1)
        #expect(ScheduledRuns.disagreement([0, 3]) == 1)
    }

    @Test func `a run has the percentiles of its requests`() throws {
        let run = try #require(try runs([24]).runs.first)
        #expect((run.count, run.p50, run.p99, run.slowest) == (1_000, 10, 24, 24))
        #expect(run.isKeptUp && run.kept == 1)
    }

    @Test func `the text names the rate and its origin`() throws {
        let text = try runs([20, 24, 22]).text
        #expect(text.contains("last_follower: 40 posts/s, stored, evenly spaced; runs differ by a factor of 1.2"))
        #expect(text.contains("run 2: p50 10, p99 24, slowest 24 ms of 1000; 100 % met at most 1 unfinished"))
        #expect(text.contains("timer late by p99"))
        #expect(!text.contains("NOT KEPT UP"))
    }

    @Test func `the median is valid if most runs were kept up with`() throws {
        #expect(try runs([20, 24, 22], behind: 1).isKeptUp)
        #expect(try !runs([20, 24, 22], behind: 2).isKeptUp)
        #expect(try !runs([20, 24], behind: 1).isKeptUp)
        #expect(try !runs([]).isKeptUp)
    }

    @Test func `a target is missed by figures that are not valid`() {
        var figure = PairedFigure(.readTail)
        figure.add(ours: 2_267, theirs: 1_130)
        #expect(figure.comparison().isMet)
        #expect(!figure.comparison(isValid: false).isMet)
    }

    @Test func `the text tells of runs that were not kept up with`() throws {
        #expect(try runs([20, 24, 22], behind: 2).text.contains("NOT KEPT UP WITH in 2 of 3 runs"))
    }
}
