import TestSupport
import Testing

@testable import loadtests

@Suite(.timeLimit(.unit))
struct PreferredRateTests {
    @Test(
        arguments: [
            (40, 40), (39.99, 25), (62.9, 40), (63, 63), (99, 63), (100, 100), (1_000, 1_000), (999, 630), (0.7, 0.63),
            (1, 1), (0.001, 0.001),
        ] as [(Double, Double)])
    func `a limit is rounded down to the series`(_ limit: Double, _ rate: Double) {
        #expect(abs(PreferredRate.atMost(limit) - rate) < rate * 1e-6)
    }

    @Test func `a lone request takes at most half of the interval`() {
        #expect(PreferredRate.rate(loneSeconds: 0.010, share: 0.5) == 40, "50 a second, rounded down")
        for milliseconds in stride(from: 0.2, to: 80, by: 0.7) {
            let interval = 1 / PreferredRate.rate(loneSeconds: milliseconds / 1_000, share: 0.5)
            #expect(interval * 1.000_001 >= 2 * milliseconds / 1_000)
        }
    }

    @Test func `a drift of the machine rarely changes the rate`() {
        let rates = [9.0, 10, 11, 12].map { PreferredRate.rate(loneSeconds: $0 / 1_000, share: 0.5) }
        #expect(Set(rates) == [40])
    }

    @Test func `the next lower rate is the one before in the series`() {
        var (rate, found) = (100.0, [Double]())
        for _ in 0..<5 {
            rate = PreferredRate.below(rate)
            found.append(rate.rounded())
        }
        #expect(found == [63, 40, 25, 16, 10])
    }

    /// Returns the backlog of 100 requests, of which some met as many as are given.
    private func backlog(_ late: Int, meeting unfinished: Int) -> Backlog {
        var backlog = Backlog()
        for number in 0..<100 { backlog.add(number < late ? unfinished : 0) }
        return backlog
    }

    @Test func `the rate is lowered until it is kept up with`() async throws {
        var tried: [Double] = []
        let rate = try await PreferredRate.find(loneSeconds: 0.010, share: 0.5, allowed: 1) { rate in
            tried.append(rate)
            return backlog(rate > 20 ? 30 : 0, meeting: 2)
        }
        #expect(tried == [40, 40, 40, 25, 25, 25, 16])
        #expect(rate == 16)
    }

    @Test func `a pause during one trial does not lower the rate`() async throws {
        var trials = 0
        let rate = try await PreferredRate.find(loneSeconds: 0.010, share: 0.5, allowed: 1) { _ in
            trials += 1
            return backlog(trials == 1 ? 30 : 0, meeting: 9)
        }
        #expect(rate == 40 && trials == 2)
    }

    @Test func `the first rate holds if one in a hundred is late`() async throws {
        #expect(
            try await PreferredRate.find(loneSeconds: 0.010, share: 0.5, allowed: 1) { _ in backlog(1, meeting: 9) }
                == 40)
    }

    @Test func `no rate is made up if none is kept up with`() async {
        await #expect(throws: Program.Failure.self) {
            try await PreferredRate.find(loneSeconds: 0.010, share: 0.5, allowed: 1) { _ in backlog(50, meeting: 2) }
        }
        await #expect(throws: Program.Failure.self, "a trial without requests shows nothing") {
            try await PreferredRate.find(loneSeconds: 0.010, share: 0.5, allowed: 1) { _ in Backlog() }
        }
    }
}
