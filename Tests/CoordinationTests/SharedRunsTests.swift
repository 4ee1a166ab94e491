import Synchronization
import TestSupport
import Testing

@testable import Coordination

@Suite(.timeLimit(.unit))
struct SharedRunsTests {
    private struct Failure: Error {}

    @Test
    func `callers who come during a run share the next one`() async throws {
        let (runs, count) = (SharedRuns(), Counted())
        let (gate, opening) = AsyncStream<Never>.makeStream()
        let operation: @Sendable (Bool) async throws -> Void = { _ in
            if count.increment() == 1 { for await _ in gate {} }
        }
        #expect(runs.isIdle)
        let first = Task { try await runs.join(operation) }
        while count.value == 0 { await Task.yield() }
        #expect(!runs.isIdle)
        let others = (0..<100).map { _ in Task { try await runs.join(operation) } }
        while runs.waitingCount < 100 { await Task.yield() }
        opening.finish()
        try await first.value
        for other in others { try await other.value }
        #expect(count.value == 2)
    }

    @Test
    func `a caller gets the outcome of a run that began after its call`() async throws {
        let (runs, value, seen) = (SharedRuns(), Counted(), Counted())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<500 {
                        let own = value.increment()
                        try await runs.join { _ in seen.set(value.value) }
                        #expect(seen.value >= own)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test(arguments: [true, false])
    func `those who wait for a run that fails after a long time fail with it`(isLong: Bool) async throws {
        let (runs, count) = (SharedRuns(patience: isLong ? .zero : .seconds(3_600)), Counted())
        let (gate, opening) = AsyncStream<Never>.makeStream()
        let operation: @Sendable (Bool) async throws -> Void = { _ in
            guard count.increment() == 1 else { return }
            for await _ in gate {}
            throw Failure()
        }
        let first = Task { try await runs.join(operation) }
        while count.value == 0 { await Task.yield() }
        let others = (0..<100).map { _ in Task { try await runs.join(operation) } }
        while runs.waitingCount < 100 { await Task.yield() }
        opening.finish()
        await #expect(throws: Failure.self) { try await first.value }
        for other in others {
            let hasFailed = await (try? other.value) == nil
            #expect(hasFailed == isLong)
        }
        #expect(count.value == (isLong ? 1 : 2) && runs.waitingCount == 0)
        try await runs.join(operation)
    }

    @Test
    func `a caller that has begun a run is cancelled alone`() async throws {
        let (runs, count) = (SharedRuns(), Counted())
        let operation: @Sendable (Bool) async throws -> Void = { _ in
            // Not for synchronisation: it ends by its cancellation.
            if count.increment() == 1 { try await Task.sleep(for: .seconds(3_600)) }
        }
        let first = Task { try await runs.join(operation) }
        while count.value == 0 { await Task.yield() }
        let others = (0..<100).map { _ in Task { try await runs.join(operation) } }
        while runs.waitingCount < 100 { await Task.yield() }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        for other in others { try await other.value }
        #expect(count.value == 2)
    }

    @Test
    func `a run is told whether it is for one caller`() async throws {
        let (runs, alone, shared) = (SharedRuns(), Counted(), Counted())
        let (gate, opening) = AsyncStream<Never>.makeStream()
        let operation: @Sendable (Bool) async throws -> Void = { isAlone in
            if !isAlone { return _ = shared.increment() }
            if alone.increment() == 1 { for await _ in gate {} }
        }
        let first = Task { try await runs.join(operation) }
        while alone.value == 0 { await Task.yield() }
        let others = (0..<10).map { _ in Task { try await runs.join(operation) } }
        while runs.waitingCount < 10 { await Task.yield() }
        opening.finish()
        try await first.value
        for other in others { try await other.value }
        #expect((alone.value, shared.value) == (1, 1))
    }

    @Test
    func `a run that fails fails for its callers, and the next one begins anew`() async throws {
        let (runs, count) = (SharedRuns(), Counted())
        let operation: @Sendable (Bool) async throws -> Void = { _ in if count.increment() == 1 { throw Failure() } }
        await #expect(throws: Failure.self) { try await runs.join(operation) }
        try await runs.join(operation)
    }
}

/// A number that tasks share.
private final class Counted: Sendable {
    private let number = Mutex(0)

    var value: Int { number.withLock(\.self) }

    func set(_ value: Int) { number.withLock { $0 = value } }

    func increment() -> Int {
        number.withLock { number in
            number += 1
            return number
        }
    }
}
