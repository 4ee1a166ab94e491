import Database
import GraphServices
import HTTPTypes
import Hummingbird
import Moderation
import NIOCore
import NIOHTTP1
import SocialGraph

extension Problem {
    /// Maps any thrown error to a problem. An unknown error is `internal`, and its text reaches the log only.
    ///
    /// - Parameter bodyLimit: bytes, for the message about a body that was larger.
    package init(describing error: any Error, bodyLimit: Int = RequestLimits.bodyBytes) {
        switch error {
        case let problem as Problem:
            self = problem
        case let error as GraphError:
            self.init(graphError: error)
        case let error as DatabaseError:
            self.init(databaseError: error)
        case let error as ModerationError:
            self.init(moderationError: error)
        case is NIOTooManyBytesError:
            self.init(.bodyTooLarge, "The body may have at most \(bodyLimit) bytes.", underlying: error)
        case let error as HTTPError:
            self.init(httpError: error)
        case is HTTPParserError:
            // The rest of the body cannot be told from a following request on the connection.
            self.init(
                .badRequest, "The body ends too early, or its transfer coding is malformed.",
                advice: [.newConnection], underlying: error)
        case is CancellationError:
            self.init(.unavailable, "The request was cancelled before it was finished.", underlying: error)
        default:
            self.init(.internal, "The server failed. Find the cause in its log by the request id.", underlying: error)
        }
    }

    /// The code depends on the request: an author named among a new post's collaborators is an invalid value, and one
    /// who invites themselves gets the error itself.
    private init(graphError error: GraphError) {
        switch error {
        case .selfCollaboration:
            self.init(.invalidValue, error.message, field: error.answer.field, underlying: error)
        default:
            self.init(answering: error)
        }
    }

    private init(databaseError error: DatabaseError) {
        switch error {
        case .busy: self.init(.busy, error.message, advice: [.retry(afterSeconds: 1)], underlying: error)
        case .storageFull: self.init(.storageFull, error.message, advice: [.retryWhenThereIsRoom], underlying: error)
        case .storage, .storageCorrupt, .idSpaceExhausted:
            self.init(.unavailable, error.message, advice: [.retry(afterSeconds: 1)], underlying: error)
        }
    }

    private init(httpError error: HTTPError) {
        let code: ProblemCode =
            switch error.status.code {
            case 401: .tokenInvalid
            case 403: .forbidden
            case 404: .notFound
            case 405: .methodNotAllowed
            case 409: .conflict
            case 413: .bodyTooLarge
            case 415: .unsupportedMediaType
            case 422: .invalidValue
            case 429: .rateLimited
            case 503: .unavailable
            case 400..<500: .badRequest
            default: .internal
            }
        self.init(code, error.body ?? "\(code.title).", underlying: error)
    }
}

extension Problem {
    /// The problem with the error's own code. A test ensures that every such code is known here.
    init(answering error: any ClientError, detail: String? = nil) {
        let answer = error.answer
        self.init(
            ProblemCode(rawValue: answer.code) ?? .internal, detail ?? answer.message, field: answer.field,
            underlying: error)
    }
}
