import GraphServices
import HTTPTypes
import Hummingbird
import Idempotency
import MediaFiles
import NIOCore
import SocialGraph

extension MediaUpload {
    /// Reads the body of a request as described for ``receive(_:owner:form:onFingerprint:validate:)``.
    ///
    /// - Throws: `Problem`; the connection accepts no further request then.
    package func receive(
        _ request: Request, _ context: GraphRequestContext, owner: UserID, form: UploadForm,
        validate: ([String: [String]]) throws -> Void = { _ in }
    ) async throws -> Upload {
        try await Self.closingAfterFailure(context) {
            let claim = context.claim
            return try await receive(
                body(of: request, context), owner: owner, form: form,
                onFingerprint: claim.map { claim in { claim.complete(fingerprint: $0) } }, validate: validate)
        }
    }

    /// Returns the digest of a form as described for ``fingerprint(of:owner:)``.
    func fingerprint(
        of request: Request, _ context: GraphRequestContext, owner: UserID
    ) async throws -> [UInt8] {
        try await Self.closingAfterFailure(context) {
            try await fingerprint(of: body(of: request, context), owner: owner)
        }
    }

    private func body(of request: Request, _ context: GraphRequestContext) -> UploadBody<WatchedBody> {
        UploadBody(
            WatchedBody(request.body.makeAsyncIterator(), context, pause: pause),
            contentTypes: request.headers[values: .contentType],
            length: request.headers[.contentLength].flatMap { Int($0) }, from: context.addressBlock(of: request))
    }

    private static func closingAfterFailure<Result>(
        _ context: GraphRequestContext, _ read: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await read()
        } catch let refusal as IdempotencyRefusal {
            // The body has been read.
            throw refusal
        } catch {
            // The rest of the body is read and discarded for a limited time, so that the client sees the answer.
            context.closeConnection(after: RequestLimits.refusedUploadLimit)
            throw Problem(describing: error).advising(.newConnection)
        }
    }
}

/// The chunks of a request's body. A sender that is silent for too long is disconnected.
private struct WatchedBody: AsyncIteratorProtocol {
    private var chunks: RequestBody.AsyncIterator
    private let context: GraphRequestContext
    private let pause: Duration

    init(_ chunks: RequestBody.AsyncIterator, _ context: GraphRequestContext, pause: Duration) {
        self.chunks = chunks
        self.context = context
        self.pause = pause
    }

    mutating func next() async throws -> ByteBuffer? {
        let closing = context.closeConnection(after: pause)
        defer { closing.cancel() }
        do {
            return try await chunks.next()
        } catch let error where !(error is CancellationError) {
            // The client or this server has closed the connection, or its bytes are not HTTP.
            throw Problem(.malformedMultipart, "The request was cut off.", underlying: error)
        }
    }
}
