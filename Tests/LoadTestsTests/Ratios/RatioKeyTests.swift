import TestSupport
import Testing

@testable import loadtests

@Suite(.timeLimit(.unit))
struct RatioKeyTests {
    @Test func `each ratio is measured once`() {
        let measured = RatiosCommand.measurements.flatMap(\.keys)
        #expect(Set(measured).count == measured.count)
        #expect(Set(measured) == Set(RatioKey.allCases))
    }
}
