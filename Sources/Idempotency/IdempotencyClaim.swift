import Database
import Synchronization

/// The claim of one request to its key. The first write with the claimed result stores the request and its answer in
/// the same transaction, so that a process that dies at any instant has written both or neither.
package final class IdempotencyClaim: Sendable {
    private struct State {
        var fingerprint: [UInt8]?
        var answer: KeptAnswer?
        var isCommitted = false
    }

    package let request: IdempotentRequest
    private let state: Mutex<State>

    /// - Parameter fingerprint: digest of the body; nil: known once the body has been read.
    package init(_ request: IdempotentRequest, fingerprint: [UInt8]?) {
        self.request = request
        state = Mutex(State(fingerprint: fingerprint))
    }

    /// Digest of the body; nil: not all of it has been read.
    package var fingerprint: [UInt8]? { state.withLock { $0.fingerprint } }

    /// The answer of this request; nil: there is none yet.
    package var answer: KeptAnswer? { state.withLock { $0.answer } }

    /// True if request and answer are on disk.
    package var isCommitted: Bool { state.withLock { $0.isCommitted } }

    /// Sets the digest of a body that has now been read.
    package func complete(fingerprint: [UInt8]) { state.withLock { $0.fingerprint = fingerprint } }

    package func note(_ answer: KeptAnswer) { state.withLock { $0.answer = answer } }

    fileprivate func noteCommit() { state.withLock { $0.isCommitted = true } }

    /// Runs `body`, the first write in which that returns a `Value` stores the request with its answer.
    ///
    /// - Parameter answer: called within the transaction, perhaps twice.
    /// - Throws: ``IdempotencyRefusal``; the errors of `body`.
    package func joining<Value: Sendable, Result>(
        answer: @escaping @Sendable (Value) -> KeptAnswer, _ body: () async throws -> Result
    ) async throws -> Result {
        try await WriteCompanions.$current.withValue(AnsweredWrite(claim: self, answer: answer), operation: body)
    }
}

private struct AnsweredWrite<Value: Sendable>: WriteCompanion {
    let claim: IdempotencyClaim
    let answer: @Sendable (Value) -> KeptAnswer

    func joined<T: Sendable>(
        to body: @escaping @Sendable (any GraphTransaction) throws -> T
    ) -> (@Sendable (any GraphTransaction) throws -> T)? {
        guard T.self == Value.self, !claim.isCommitted, let fingerprint = claim.fingerprint else { return nil }
        return { transaction in
            let writer = IdempotencyStore.Writer(transaction)
            let place = try writer.place(for: claim.request)
            let result = try body(transaction)
            guard let value = result as? Value else { preconditionFailure("a value has its own type") }
            let answer = answer(value)
            try writer.keep(answer, to: claim.request, fingerprint: fingerprint, at: place)
            claim.note(answer)
            return result
        }
    }

    func noteCommit() { claim.noteCommit() }
}
