import Synchronization
import TestSupport
import Testing

@testable import Coordination

@Suite(.timeLimit(.unit))
struct ConcurrencyLimitTests {
    private struct Refusal: Error {}

    private final class Tally: Sendable {
        let running = Mutex(0)
        let most = Mutex(0)
        let done = Mutex<[Int]>([])
    }

    @Test
    func `no more run at a time than allowed, all of them run, and whoever fails gives up the place`() async {
        let limit = ConcurrencyLimit(3)
        let tally = Tally()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    try? await limit.run {
                        let now = tally.running.withLock { running in
                            running += 1
                            return running
                        }
                        tally.most.withLock { $0 = max($0, now) }
                        for _ in 0..<5 { await Task.yield() }
                        tally.running.withLock { $0 -= 1 }
                        tally.done.withLock { $0.append(number) }
                        if number.isMultiple(of: 2) { throw Refusal() }
                    }
                }
            }
        }
        #expect(tally.done.withLock { $0.count } == 200)
        #expect((1...3).contains(tally.most.withLock { $0 }))
        #expect(await limit.run { 1 } == 1)
    }

    @Test
    func `whoever waits longest is next`() async {
        let limit = ConcurrencyLimit(1)
        let tally = Tally()
        let (isFree, free) = AsyncStream.makeStream(of: Void.self)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await limit.run { for await _ in isFree {} } }
            while limit.waiting == nil { await Task.yield() }
            for number in 1...5 {
                group.addTask { await limit.run { tally.done.withLock { $0.append(number) } } }
                while limit.waiting != number { await Task.yield() }
            }
            free.finish()
        }
        #expect(tally.done.withLock { $0 } == [1, 2, 3, 4, 5])
    }
}
