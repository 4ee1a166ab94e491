import Foundation
import TestSupport
import Testing

@testable import ScaleSimulation

@Suite(.timeLimit(.unit))
struct DeliveryQueueTests {
    private static func queue(posts: Double, share: Double = 1) -> DeliveryQueue {
        DeliveryQueue(postsPerSecond: posts, audience: 200, windowShare: 1, masterShare: share, nodeShare: share)
    }

    @Test
    func `a lone post waits for its own calls`() throws {
        let idle = Self.queue(posts: 0)
        let missed: Double = 255.0 / 256.0
        let calls = 256 * (1 - pow(missed, 200.0))
        let own = MeasuredCosts.batchOverhead + calls * MeasuredCosts.redisCall + 200 * MeasuredCosts.redisAppend
        // The batch before it is one like it.
        #expect(abs(try #require(idle.lag(audience: 200)) - 2 * own) < 1e-9)
    }

    @Test
    func `lag grows with the audience and the load, and ends where deliveries fall behind`() throws {
        let quiet = Self.queue(posts: 100)
        let small = try #require(quiet.lag(audience: 200))
        let large = try #require(quiet.lag(audience: 10_000))
        #expect(small < large)
        #expect(try #require(Self.queue(posts: 1_000).lag(audience: 10_000)) > large)
        let most = 100 / quiet.utilisation
        #expect(Self.queue(posts: most * 0.99).lag(audience: 200) != nil)
        #expect(Self.queue(posts: most * 1.01).lag(audience: 200) == nil)
    }

    @Test
    func `three masters and nodes do nearly three times as much`() {
        let ratio = Self.queue(posts: 100).utilisation / Self.queue(posts: 100, share: 1 / 3).utilisation
        #expect(ratio > 2.7 && ratio <= 3)
    }

    @Test
    func `calls follow the buckets that are touched`() {
        #expect(DeliveryQueue.calls(0) == 0)
        #expect(abs(DeliveryQueue.calls(1) - 1) < 1e-9)
        #expect(abs(DeliveryQueue.calls(256_000) - 512) < 1e-6)
    }
}
