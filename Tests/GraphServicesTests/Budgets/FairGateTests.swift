import Synchronization
import TestSupport
import Testing

@testable import GraphServices

@Suite(.timeLimit(.unit))
struct FairGateTests {
    /// A piece of work that signals its start and continues until it is released.
    private struct Piece: Sendable {
        private let begun = AsyncStream<Void>.makeStream()
        private let released = AsyncStream<Void>.makeStream()

        func body() async {
            begun.continuation.finish()
            for await _ in released.stream { break }
        }

        func hasBegun() async { for await _ in begun.stream {} }
        func release() { released.continuation.finish() }
    }

    /// A value that several tasks change.
    private final class Shared<Value: Sendable>: Sendable {
        private let value: Mutex<Value>

        init(_ value: Value) { self.value = Mutex(value) }

        func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
            value.withLock { value in body(&value) }
        }
    }

    private func waitUntil(_ condition: () -> Bool) async {
        while !condition() { await Task.yield() }
    }

    @Test func `an honest holder is served next while a flood waits`() async throws {
        let gate = FairGate(places: 1, waiting: 64)
        let order = Shared<[BudgetHolder]>([])
        let first = Piece()
        let (flood, honest) = (BudgetHolder.address(.four(1)), BudgetHolder.address(.four(2)))
        try await withThrowingTaskGroup(of: Void.self) { group in
            func add(_ holder: BudgetHolder) {
                group.addTask { try await gate.run(for: holder) { order.withLock { $0.append(holder) } } }
            }
            group.addTask { try await gate.run(for: flood) { await first.body() } }
            await first.hasBegun()
            for number in 1...64 {
                add(flood)
                await waitUntil { gate.waitingCount >= number - 1 }
            }
            await waitUntil { gate.waitingCount == 64 }
            add(honest)
            // The newest piece of the flood is refused to make room for it.
            await #expect(throws: Problem.self) { try await group.next() }
            first.release()
            try await group.waitForAll()
        }
        let served = order.withLock { $0 }
        #expect(served.count == 64)
        #expect(served.prefix(2).contains(honest))
    }

    @Test func `a cancelled task leaves the queue and takes no place`() async throws {
        let gate = FairGate(places: 1, waiting: 1)
        let first = Piece()
        async let running: Void = gate.run(for: .user(1)) { await first.body() }
        await first.hasBegun()
        let waiting = Task { try await gate.run(for: .user(2)) { _ = Issue.record("it was cancelled") } }
        await waitUntil { gate.waitingCount == 1 }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(gate.waitingCount == 0)
        first.release()
        try await running
        #expect(try await gate.run(for: .user(3)) { 7 } == 7)
        let late = Task {
            await waitUntil { Task.isCancelled }
            try await gate.run(for: .user(3)) { _ = Issue.record("it was cancelled") }
        }
        late.cancel()
        await #expect(throws: CancellationError.self) { try await late.value }
    }

    @Test func `one holder cannot take all places`() async throws {
        let gate = FairGate(places: 2, perHolder: 1, waiting: 10)
        let pieces = (0..<3).map { _ in Piece() }
        let begun = Shared<[Int]>([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            func add(_ number: Int, _ holder: BudgetHolder) {
                group.addTask {
                    try await gate.run(for: holder) {
                        begun.withLock { $0.append(number) }
                        await pieces[number].body()
                    }
                }
            }
            add(0, .user(1))
            await waitUntil { begun.withLock { $0 } == [0] }
            add(1, .user(1))
            await waitUntil { gate.waitingCount == 1 }
            add(2, .user(2))
            await waitUntil { begun.withLock { $0 } == [0, 2] }
            #expect(gate.waitingCount == 1)
            pieces[2].release()
            pieces[0].release()
            await waitUntil { begun.withLock { $0 } == [0, 2, 1] }
            pieces[1].release()
            try await group.waitForAll()
        }
    }

    /// Tasks of several holders on several threads, some of them cancelled. The number inside never exceeds the places,
    /// each task ends, and all places are free afterwards.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func `places are neither lost nor doubled`(_ seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let (places, perHolder) = (Int.random(in: 1...4, using: &random), Int.random(in: 1...3, using: &random))
        let gate = FairGate(places: places, perHolder: perHolder, waiting: Int.random(in: 1...40, using: &random))
        let inside = Shared<[BudgetHolder: Int]>([:])
        let tasks = (0..<400).map { _ in
            let holder = BudgetHolder.user(Int64.random(in: 0..<5, using: &random))
            let task = Task {
                try await gate.run(for: holder) {
                    inside.withLock { inside in
                        inside[holder, default: 0] += 1
                        #expect(inside[holder, default: 0] <= perHolder)
                        #expect(inside.values.reduce(0, +) <= places)
                    }
                    await Task.yield()
                    inside.withLock { $0[holder, default: 1] -= 1 }
                }
            }
            if Int.random(in: 0..<4, using: &random) == 0 { task.cancel() }
            return task
        }
        for task in tasks { _ = await task.result }
        #expect(gate.waitingCount == 0)
        for holder in 0..<Int64(places) { try await gate.run(for: .user(holder)) {} }
        // All places are taken at once.
        let pieces = (0..<places).map { _ in Piece() }
        let begun = Shared(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, piece) in pieces.enumerated() {
                group.addTask {
                    try await gate.run(for: .user(Int64(number))) {
                        begun.withLock { $0 += 1 }
                        await piece.body()
                    }
                }
            }
            await waitUntil { begun.withLock { $0 } == places }
            for piece in pieces { piece.release() }
            try await group.waitForAll()
        }
    }
}
