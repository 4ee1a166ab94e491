import Foundation
import TestSupport
import Testing

@testable import GraphServices

@Suite(.timeLimit(.unit))
struct BoundedWorkTests {
    @Test func `at most so many run and so many wait`() async throws {
        let work = BoundedWork(label: "t", concurrent: 2, waiting: 3)
        let gate = Gate()
        let busy = await withTaskGroup(of: ProblemCode?.self) { group in
            for _ in 0..<5 {
                group.addTask {
                    do {
                        try await work.run(for: .server) { gate.pass() }
                        return nil
                    } catch {
                        return (error as? Problem)?.code
                    }
                }
            }
            while work.waitingCount < 3 {
                await Task.yield()
            }
            group.addTask {
                do {
                    try await work.run(for: .server) {}
                    return nil
                } catch {
                    return (error as? Problem)?.code
                }
            }
            var refused: [ProblemCode] = []
            // The sixth is refused at once; the others end only after the gate opens.
            for await code in group {
                if let code {
                    refused.append(code)
                    // Two were admitted before the sixth was refused. Their threads may start a moment later.
                    while gate.mostInside < 2 { await Task.yield() }
                    gate.open()
                }
            }
            return refused
        }
        #expect(busy == [.busy])
        #expect(gate.mostInside == 2)
        #expect(try await work.run(for: .server) { 7 } == 7)
    }
}

/// Blocks threads until it is opened, and counts how many were inside at once.
// Proof: every access to the variables holds the lock of `condition`.
private final class Gate: @unchecked Sendable {
    private let condition = NSCondition()
    private var isOpen = false
    private var inside = 0
    private var most = 0

    var mostInside: Int { condition.withLock { most } }

    func open() {
        condition.withLock {
            isOpen = true
            condition.broadcast()
        }
    }

    func pass() {
        condition.withLock {
            inside += 1
            most = max(most, inside)
            while !isOpen {
                condition.wait()
            }
            inside -= 1
        }
    }
}
