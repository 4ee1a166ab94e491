import TestSupport
import Testing

@testable import TimelineModels

@Suite(.timeLimit(.model))
struct FanoutGroupsModelTests {
    @Test
    func `no order of events breaks a promise while groups pass from node to node`() async {
        var (passes, refusals, deliveries) = (0, 0, 0)
        for seed in 0..<UInt64(2_000) {
            var model = FanoutGroupsModel(seed: seed)
            let violation = model.run()
            #expect(violation == nil, "seed \(seed)")
            if violation != nil { return }
            passes += model.passes
            refusals += model.refusals
            deliveries += model.deliveries
            await Task.yield()
        }
        #expect(passes > 2_000 && refusals > 500 && deliveries > 50_000)
    }

    @Test(arguments: FanoutGroupsModel.Mechanism.allCases)
    func `every mechanism is needed`(mechanism: FanoutGroupsModel.Mechanism) async {
        for seed in mechanism.firstSeed..<mechanism.firstSeed + 20_000 {
            var model = FanoutGroupsModel(seed: seed, without: mechanism)
            if model.run() != nil { return }
            await Task.yield()
        }
        Issue.record("without \(mechanism), 20,000 runs broke no promise")
    }
}

extension FanoutGroupsModel.Mechanism {
    /// The first seed to try, shortly before a schedule that is known to reveal the absence.
    fileprivate var firstSeed: UInt64 { self == .epoch ? 6_100 : 0 }
}
