import TestSupport
import Testing

@testable import Coordination

@Suite(.timeLimit(.unit))
struct WakeupTests {
    @Test
    func `a signal before the wait is remembered, several as one`() async {
        let wakeup = Wakeup()
        wakeup.signal()
        wakeup.signal()
        await wakeup.wait(atMost: .seconds(3_600))
        // No signal is left, so this wait ends by its limit.
        await wakeup.wait(atMost: .milliseconds(1))
    }

    @Test
    func `a signal ends a wait, again and again, whichever comes first`() async {
        let wakeup = Wakeup()
        let (rounds, turn) = AsyncStream<Void>.makeStream()
        await withTaskGroup { group in
            group.addTask {
                for _ in 0..<2_000 {
                    await wakeup.wait(atMost: .seconds(3_600))
                    turn.yield()
                }
                turn.finish()
            }
            wakeup.signal()
            for await _ in rounds { wakeup.signal() }
        }
    }

    @Test
    func `a cancelled wait ends and leaves the doorbell as it was`() async {
        let wakeup = Wakeup()
        for round in 0..<200 {
            let waiting = Task { await wakeup.wait(atMost: .seconds(3_600)) }
            for _ in 0..<(round % 7) { await Task.yield() }
            waiting.cancel()
            await waiting.value
        }
        wakeup.signal()
        await wakeup.wait(atMost: .seconds(3_600))
    }

    @Test
    func `a wait that ended by its limit does not swallow the next signal`() async {
        let wakeup = Wakeup()
        for _ in 0..<50 {
            await wakeup.wait(atMost: .microseconds(50))
            wakeup.signal()
            await wakeup.wait(atMost: .seconds(3_600))
        }
    }

    @Test
    func `with a pace, a signal soon after a return does not end the next wait`() async {
        let wakeup = Wakeup(pace: .seconds(3_600))
        wakeup.signal()
        await wakeup.wait()
        wakeup.signal()
        let hasReturned = Guarded(false)
        let waiting = Task {
            await wakeup.wait()
            hasReturned.withLock { $0 = true }
        }
        for _ in 0..<100 { await Task.yield() }
        #expect(!hasReturned.withLock { $0 })
        waiting.cancel()
        await waiting.value
    }
}
