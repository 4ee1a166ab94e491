import Histogram
import TestSupport
import Testing

@testable import loadtests

@Suite(.timeLimit(.unit))
struct DisturbanceTests {
    /// The first lines of `/proc/stat`, with so many ticks of user programs and stolen ones.
    private func stat(user: Int, stolen: Int) -> String {
        """
        cpu  \(user) 20 300 9000 500 7 13 \(stolen) 0 0
        cpu0 1 2 3 4 5 6 7 8 0 0

        """
    }

    @Test func `waiting and idle processors are not busy`() throws {
        let times = try ProcessorTimes(stat: stat(user: 1_000, stolen: 40), ticksPerSecond: 100)
        #expect(times.busy == 13.4)
        #expect(times.stolen == 0.4)
    }

    @Test(arguments: ["", "cpu", "cpu  1 2 3 4 5 6 7", "cpu0 1 2 3 4 5 6 7 8 0 0"])
    func `another text is refused`(_ text: String) {
        #expect(throws: Program.Failure.self) { try ProcessorTimes(stat: text, ticksPerSecond: 100) }
    }

    private func disturbance(busy ticks: Int, stolen: Int, ours: Double) throws -> Disturbance {
        var late = Histogram<UInt64>(numberOfSignificantValueDigits: .three)
        for number in 1...1_000 { late.record(number > 980 ? 5_000 : 100) }
        return Disturbance(
            late: late, before: try ProcessorTimes(stat: stat(user: 1_000, stolen: 40), ticksPerSecond: 100),
            after: try ProcessorTimes(stat: stat(user: 1_000 + ticks, stolen: 40 + stolen), ticksPerSecond: 100),
            ours: ours, seconds: 10)
    }

    @Test func `the time that is not ours is that of other programs`() throws {
        let found = try disturbance(busy: 1_500, stolen: 50, ours: 5)
        #expect(abs(found.others - 1) < 1e-9)
        #expect(abs(found.stolen - 0.05) < 1e-9)
        #expect(try disturbance(busy: 400, stolen: 0, ours: 5).others == 0, "ticks are coarse")
    }

    @Test func `the lateness of a timer is in milliseconds`() throws {
        let found = try disturbance(busy: 0, stolen: 0, ours: 0)
        #expect(abs(found.timerP99 - 5) < 0.01)
        #expect(abs(found.timerMost - 5) < 0.01)
    }
}
