import Database
import Dispatch
import PostgreSQLTestSupport
import TestSupport
import Testing

@testable import PostgreSQL

/// Reads that wait while no reader is free, as in an outage.
@Suite(.timeLimit(.process))
struct ReaderQueueTests {
    @Test func `reads beyond the bound of the queue are refused at once and the rest are served`() async throws {
        var options = PostgreSQLOptions.tests
        options.readers = 1
        try await withPostgreSQL(options: options) { fixture in
            let (isHeld, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let database = fixture.database
            async let held: Void = database.read { _ in
                isHeld.signal()
                gate.wait()
            }
            try await onThread { isHeld.wait() }
            let tooMany = 50
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<ReaderPool.queueLength + tooMany {
                    group.addTask {
                        do {
                            try await database.read { _ in }
                            return true
                        } catch DatabaseError.busy {
                            return false
                        }
                    }
                }
                // No read succeeds while the reader is held, so these can only be refusals.
                for _ in 0..<tooMany {
                    let isServed = try await group.next()
                    #expect(isServed == false)
                }
                gate.signal()
                for try await isServed in group { #expect(isServed) }
            }
            try await held
        }
    }
}
