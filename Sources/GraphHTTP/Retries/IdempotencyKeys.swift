import Crypto
import Database
import GraphServices
import HTTPTypes
import Hummingbird
import Idempotency
import MediaFiles
import NIOCore
import SocialGraph

/// Answers a request whose `Idempotency-Key` was used before with the first answer, and lets others claim their key. It
/// runs after authentication, because keys belong to their users, and after the budgets, of which a repetition spends
/// as much as the request.
struct IdempotencyKeys: RouterMiddleware {
    let store: IdempotencyStore
    let uploads: MediaUpload

    func handle(
        _ request: Request, context: GraphRequestContext,
        next: (Request, GraphRequestContext) async throws -> Response
    ) async throws -> Response {
        guard request.headers.contains(.idempotencyKey),
            let body = IdempotentRoutes.body(of: request.method, at: context.endpointPath),
            let user = context.caller.userID.map(UserID.init(rawValue:)),
            let key = try IdempotencyHeader.key(in: request.headers)
        else { return try await next(request, context) }
        let identity = IdempotentRequest(
            user: user, key: key, operation: "\(request.method.rawValue) \(request.uri.path)")
        switch body {
        case .json:
            var request = request
            let bytes = try await request.bodyBytes()
            request.body = RequestBody(buffer: ByteBuffer(bytes: bytes))
            let fingerprint = Array(SHA256.hash(data: bytes))
            if let kept = try await store.find(identity) { return try Self.repeated(kept, fingerprint) }
            return try await answer(IdempotencyClaim(identity, fingerprint: fingerprint), request, context, next)
        case .form:
            if let kept = try await store.find(identity) {
                return try Self.repeated(kept, try await uploads.fingerprint(of: request, context, owner: user))
            }
            return try await answer(IdempotencyClaim(identity, fingerprint: nil), request, context, next)
        }
    }

    /// Lets the request's handler answer. A request that another one with its key has overtaken gets the other's
    /// answer; the handler has done nothing then.
    private func answer(
        _ claim: IdempotencyClaim, _ request: Request, _ context: GraphRequestContext,
        _ next: (Request, GraphRequestContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.claim = claim
        do {
            let response = try await next(request, context)
            if !claim.isCommitted, let answer = claim.answer, let fingerprint = claim.fingerprint {
                try await store.keep(answer, to: claim.request, fingerprint: fingerprint)
            }
            return response
        } catch let refusal as IdempotencyRefusal {
            return try Self.answer(to: refusal, claim.fingerprint ?? [])
        } catch {
            // The other request's effect may be the reason for the error, such as a name that is taken.
            guard let fingerprint = claim.fingerprint, let kept = try await store.find(claim.request) else {
                throw error
            }
            return try Self.repeated(kept, fingerprint)
        }
    }

    private static func answer(to refusal: IdempotencyRefusal, _ fingerprint: [UInt8]) throws -> Response {
        switch refusal {
        case .answered(let kept):
            return try repeated(kept, fingerprint)
        case .tooManyKeys(let seconds):
            throw Problem(
                .rateLimited,
                "At most \(IdempotencyLimits.keysPerUser) Idempotency-Keys of a day are remembered for each user.",
                advice: [.retry(afterSeconds: Int64(seconds))], underlying: refusal)
        case .answerTooLarge:
            throw Problem(
                .internal, "The answer is too long to be repeated. Send the request without Idempotency-Key.",
                underlying: refusal)
        }
    }

    private static func repeated(_ kept: KeptRequest, _ fingerprint: [UInt8]) throws -> Response {
        guard kept.fingerprint == fingerprint else {
            throw Problem(
                .idempotencyKeyReused, "This Idempotency-Key was used with another request. Choose a new key.")
        }
        if kept.isDeleted, case .comment? = kept.answer.created { throw GraphError.commentNotFound }
        if kept.isDeleted { throw GraphError.postNotFound }
        var response = Response.json(kept.answer)
        response.headers[.idempotentReplayed] = "true"
        return response
    }
}
