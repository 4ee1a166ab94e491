import TestSupport
import Testing

@testable import Coordination

@Suite(.timeLimit(.unit))
struct GracePeriodTests {
    @Test
    func `with no ticket out, it is over at once`() async {
        let grace = GracePeriod()
        await grace.elapse()
        grace.leave(grace.enter())
        await grace.elapse()
    }

    @Test
    func `it waits for the tickets that were out, and not for later ones`() async {
        let grace = GracePeriod()
        let (first, second) = (grace.enter(), grace.enter())
        let isOver = Guarded(false)
        await withTaskGroup { group in
            group.addTask {
                await grace.elapse()
                isOver.withLock { $0 = true }
            }
            for _ in 0..<500 { await Task.yield() }
            #expect(!isOver.withLock { $0 })
            let later = grace.enter()
            grace.leave(first)
            for _ in 0..<500 { await Task.yield() }
            #expect(!isOver.withLock { $0 })
            grace.leave(second)
            // The waits end although the later ticket is still out.
            await group.waitForAll()
            grace.leave(later)
        }
        #expect(isOver.withLock { $0 })
    }

    @Test
    func `a ticket is returned when the work throws`() async {
        struct Failure: Error {}
        let grace = GracePeriod()
        await #expect(throws: Failure.self) { try await grace.during { throw Failure() } }
        await grace.elapse()
    }

    @Test
    func `after it, no work is under way that began before: 64 tasks, 4,000 rounds`() async {
        struct State {
            var version = 0
            var underWay: [Int: Int] = [:]
        }
        let grace = GracePeriod()
        let state = Guarded(State())
        let late = Guarded(0)
        await withTaskGroup { group in
            for task in 0..<64 {
                group.addTask {
                    for round in 0..<64 where task < 48 || round < 8 {
                        if task < 48 {
                            await grace.during {
                                state.withLock { $0.underWay[task] = $0.version }
                                for _ in 0..<(round % 5) { await Task.yield() }
                                state.withLock { $0.underWay[task] = nil }
                            }
                        } else {
                            let version = state.withLock { state in
                                state.version += 1
                                return state.version
                            }
                            await grace.elapse()
                            let isLate = state.withLock { $0.underWay.values.contains { $0 < version } }
                            if isLate { late.withLock { $0 += 1 } }
                        }
                    }
                }
            }
        }
        #expect(late.withLock { $0 } == 0)
    }
}
