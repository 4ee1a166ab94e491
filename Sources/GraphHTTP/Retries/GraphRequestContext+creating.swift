import GraphServices
import HTTPTypes
import Hummingbird
import Idempotency
import SocialGraph

extension GraphRequestContext {
    /// Creates something by one write of the database, and answers with it. If the request has an idempotency key, the
    /// write stores the answer in its transaction.
    ///
    /// - Parameters:
    ///   - mayRepeat: true for an act that may happen twice without harm. Its write may have another value, or there
    ///     may be none; the answer is then stored afterwards.
    ///   - write: calls the service; the value is the write's own.
    ///   - answer: encodes the value, within the transaction.
    package func creating<Value: Sendable>(
        mayRepeat: Bool = false, _ write: () async throws -> Value,
        answer: @escaping @Sendable (Value) -> JSONAnswer
    ) async throws -> Response {
        try await creating(mayRepeat, writing: { $0 as Value }, write, answer)
    }

    /// Stores the files of an upload, and answers with them. See ``creating(mayRepeat:_:answer:)``.
    package func creatingUpload(
        _ receive: () async throws -> Upload, answer: @escaping @Sendable (Upload) -> JSONAnswer
    ) async throws -> Response {
        try await creating(false, writing: { (files: [Media]) in Upload(files) }, receive, answer)
    }

    private func creating<Written: Sendable, Value: Sendable>(
        _ mayRepeat: Bool, writing value: @escaping @Sendable (Written) -> Value, _ write: () async throws -> Value,
        _ answer: @escaping @Sendable (Value) -> JSONAnswer
    ) async throws -> Response {
        guard let claim else { return answer(try await write()).response }
        let result = try await claim.joining(
            answer: { (written: Written) in answer(value(written)).kept(created: CreatedContent(written)) }, write)
        assert(claim.isCommitted || mayRepeat, "the answer to \(claim.request.operation) is not kept with its effect")
        if !claim.isCommitted { claim.note(answer(result).kept(created: CreatedContent(result))) }
        guard let kept = claim.answer else { return answer(result).response }
        return .json(kept)
    }
}

extension JSONAnswer {
    func kept(created: CreatedContent?) -> KeptAnswer {
        KeptAnswer(status: status.code, location: headers[.location], body: bytes, created: created)
    }
}

extension Response {
    /// The answer to a request with an idempotency key, the first time or again.
    static func json(_ kept: KeptAnswer) -> Response {
        var headers = HTTPFields()
        headers[.location] = kept.location
        return .json(HTTPResponse.Status(code: kept.status), headers: headers, bytes: kept.body)
    }
}
