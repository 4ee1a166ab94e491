import Synchronization
import TestSupport
import Testing

@testable import Coordination

@Suite(.timeLimit(.unit))
struct OutboxGaugeTests {
    private final class Outbox: Sendable {
        let pending = Mutex<Int64>(0)
        let counts = Mutex(0)
        let time = Mutex(ContinuousClock.now)

        var gauge: OutboxGauge {
            OutboxGauge {
                self.counts.withLock { $0 += 1 }
                return (self.pending.withLock { $0 }, 7)
            } now: {
                self.time.withLock { $0 }
            }
        }
    }

    @Test(arguments: [0, 1, OutboxGauge.jobsCounted])
    func `a short outbox is counted each time`(pending: Int64) async throws {
        let outbox = Outbox()
        let gauge = outbox.gauge
        outbox.pending.withLock { $0 = pending }
        for _ in 0..<3 { #expect(try await gauge.depth() == (pending, 7)) }
        outbox.pending.withLock { $0 = 0 }
        #expect(try await gauge.depth() == (0, 7))
        #expect(outbox.counts.withLock { $0 } == 4)
    }

    @Test
    func `a long one is counted once a second, and each time when it has become short`() async throws {
        let outbox = Outbox()
        let gauge = outbox.gauge
        let long = OutboxGauge.jobsCounted + 1
        outbox.pending.withLock { $0 = long }
        for _ in 0..<5 { #expect(try await gauge.depth() == (long, 7)) }
        #expect(outbox.counts.withLock { $0 } == 1)
        outbox.pending.withLock { $0 = 3 }
        outbox.time.withLock { $0 += .milliseconds(999) }
        #expect(try await gauge.depth() == (long, 7))
        outbox.time.withLock { $0 += .milliseconds(1) }
        for _ in 0..<2 { #expect(try await gauge.depth() == (3, 7)) }
        #expect(outbox.counts.withLock { $0 } == 3)
    }

    @Test
    func `a count that fails is passed on and not remembered`() async throws {
        struct Failure: Error {}
        let fails = Mutex(true)
        let gauge = OutboxGauge {
            if fails.withLock({ $0 }) { throw Failure() }
            return (OutboxGauge.jobsCounted + 1, nil)
        }
        await #expect(throws: Failure.self) { try await gauge.depth() }
        fails.withLock { $0 = false }
        #expect(try await gauge.depth().pending == OutboxGauge.jobsCounted + 1)
    }
}
