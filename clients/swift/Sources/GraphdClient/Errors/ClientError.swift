import Foundation

/// An error of the client itself, or on the way to the server.
public enum ClientError: Error, Sendable {
    /// The connection failed, or the answer was cut off. The server may have acted.
    case connection(any Error)
    /// The answer is not what the API describes.
    case invalidAnswer(any Error)
    /// The answer, or an event, is larger than the configuration allows.
    case answerTooLarge(limit: Int)
    /// A list led back to a page that it had shown before.
    case repeatedCursor
    /// The session has ended: the user has to log in.
    case sessionEnded
    /// The server closed a stream for a reason that a new connection would not change.
    case streamEnded(reason: String)
    /// An argument with which there is no such request.
    case invalidArgument(String)
}

extension ClientError: LocalizedError {
    public var errorDescription: String? {
        switch self {
        case .connection(let error): "The connection to the server failed: \(error)"
        case .invalidAnswer(let error): "The server's answer is not that of its API: \(error)"
        case .answerTooLarge(let limit): "The server's answer has more than \(limit) bytes."
        case .repeatedCursor: "The list does not end."
        case .sessionEnded: "The session has ended. Log in again."
        case .streamEnded(let reason): "The server has closed the stream: \(reason)."
        case .invalidArgument(let text): text
        }
    }
}
