import TestSupport
import Testing

@testable import Coordination

@Suite(.timeLimit(.unit))
struct KeyedLocksTests {
    @Test
    func `one at a time for one key`() async {
        let locks = KeyedLocks<Int>()
        let inside = Guarded((now: 0, most: 0, total: 0))
        await withTaskGroup { group in
            for _ in 0..<64 {
                group.addTask {
                    for _ in 0..<20 {
                        await locks.withLock(1) {
                            inside.withLock {
                                $0.now += 1
                                $0.most = max($0.most, $0.now)
                                $0.total += 1
                            }
                            await Task.yield()
                            inside.withLock { $0.now -= 1 }
                        }
                    }
                }
            }
        }
        #expect(inside.withLock { $0.most } == 1)
        #expect(inside.withLock { $0.total } == 1_280)
    }

    @Test
    func `keys do not wait for each other`() async {
        let locks = KeyedLocks<Int>()
        let reached = await locks.withLock(1) { await locks.withLock(2) { true } }
        #expect(reached)
    }

    @Test
    func `those who hold several keys exclude each other and do not wait for ever`() async {
        let locks = KeyedLocks<Int>()
        let inside = Guarded((now: Array(repeating: 0, count: 8), most: 0, total: 0))
        await withTaskGroup { group in
            for task in 0..<32 {
                group.addTask {
                    for turn in 0..<20 {
                        // Overlapping sets, some with a single key.
                        let keys = Set((0...turn % 4).map { (task * 5 + turn + $0 * 3) % 8 }).sorted()
                        await locks.withLocks(keys) {
                            inside.withLock { state in
                                for key in keys { state.now[key] += 1 }
                                state.most = max(state.most, state.now.max() ?? 0)
                                state.total += 1
                            }
                            await Task.yield()
                            inside.withLock { state in for key in keys { state.now[key] -= 1 } }
                        }
                    }
                }
            }
        }
        #expect(inside.withLock { $0.most } == 1)
        #expect(inside.withLock { $0.total } == 640)
    }

    @Test
    func `an error inside gives the lock back`() async {
        struct Failure: Error {}
        let locks = KeyedLocks<Int>()
        await #expect(throws: Failure.self) { try await locks.withLock(1) { throw Failure() } }
        await locks.withLock(1) {}
    }
}
