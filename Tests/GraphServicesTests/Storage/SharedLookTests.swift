import GraphServices
import Synchronization
import TestSupport
import Testing

/// Looks that several callers share.
@Suite(.timeLimit(.unit))
struct SharedLookTests {
    /// A look that lasts until the test ends it.
    private final class Subject: Sendable {
        private let state = Mutex<(count: Int, waiting: [CheckedContinuation<Int, any Error>])>((0, []))

        var count: Int { state.withLock { $0.count } }

        @Sendable func look() async throws -> Int {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { state in
                    state.count += 1
                    state.waiting.append(continuation)
                }
            }
        }

        func end(_ result: Result<Int, any Error>) {
            let waiting = state.withLock { state in
                defer { state.waiting = [] }
                return state.waiting
            }
            for continuation in waiting { continuation.resume(with: result) }
        }
    }

    @Test func `a look that does not end is given up, and those who ask again share it`() async throws {
        let subject = Subject()
        let look = SharedLook(atMost: .milliseconds(20), subject.look)
        for _ in 0..<3 { await #expect(throws: Unanswered.self) { try await look.value() } }
        // The look may begin after those who asked have given it up.
        while subject.count == 0 { await Task.yield() }
        #expect(subject.count == 1)
        subject.end(.success(7))
    }

    @Test func `whoever asks after the end of a look has another one`() async throws {
        let subject = Subject()
        let look = SharedLook(atMost: nil, subject.look)
        for round in 1...3 {
            async let value = look.value()
            while subject.count < round { await Task.yield() }
            subject.end(.success(round))
            #expect(try await value == round)
        }
    }

    @Test func `a failure reaches those who ask`() async throws {
        struct Failure: Error {}
        let look = SharedLook<Int>(atMost: .seconds(60)) { throw Failure() }
        for _ in 0..<2 { await #expect(throws: Failure.self) { try await look.value() } }
    }
}
