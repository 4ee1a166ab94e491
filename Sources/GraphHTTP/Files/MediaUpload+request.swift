import GraphServices
import HTTPTypes
import Hummingbird
import NIOCore
import SocialGraph

extension MediaUpload {
    /// Reads the body of a request as ``receive(_:owner:form:validate:)`` says.
    ///
    /// - Throws: `Problem`; the connection takes no further request then.
    package func receive(
        _ request: Request, _ context: GraphRequestContext, owner: UserID, form: UploadForm,
        validate: ([String: [String]]) throws -> Void = { _ in }
    ) async throws -> Upload {
        do {
            let body = UploadBody(
                WatchedBody(request.body.makeAsyncIterator(), context, pause: pause),
                contentTypes: request.headers[values: .contentType],
                length: request.headers[.contentLength].flatMap { Int($0) })
            return try await receive(body, owner: owner, form: form, validate: validate)
        } catch {
            // What is left of the body is read and thrown away, so that the client gets to see the answer; but not for
            // as long as the client likes.
            context.closeConnection(after: RequestLimits.refusedUploadLimit)
            throw Problem(describing: error).advising(.newConnection)
        }
    }
}

/// The chunks of a request's body; a sender that is silent for too long has its connection closed.
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
            // The connection was closed, by the client or by us, or what came over it is no HTTP.
            throw Problem(.malformedMultipart, "The request was cut off.", underlying: error)
        }
    }
}
