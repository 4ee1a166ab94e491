/// The reason why a command has no reply. The text in ``description`` is safe for anybody; ``message`` is for the log.
package struct RedisError: Error, Equatable, Sendable {
    package enum Code: String, Sendable, CaseIterable {
        /// There is no connection; the command was not sent. Callers fall back to SQLite at once.
        case unavailable
        /// No reply in time. It may have been executed.
        case timeout
        /// The bounded queue of the connection is full; the command was not sent.
        case queueFull
        /// The command is larger than Redis or the queue can ever accept; it was not sent.
        case commandTooLarge
        /// The connection was closed by its owner; the command was not sent.
        case closed
        /// The connection broke after the command may have been sent. It may have been executed.
        case connectionLost
        /// Redis answered with an error.
        case server
        /// The peer does not speak the Redis protocol. Commands in flight may have been executed.
        case protocolViolation
        /// A well-formed reply of another kind than the command expects.
        case unexpectedReply
        /// The configuration or the machine does not allow a Redis to be used.
        case invalidConfiguration
    }

    package let code: Code
    /// Detail for the log; may repeat text of the server.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The first word of an error that Redis answered with, such as `NOSCRIPT`; nil for every other code.
    package var serverCode: Substring? {
        code == .server ? message.prefix { $0 != " " } : nil
    }

    /// True if a node refused the command because another serves its keys, or nobody does. It was not executed.
    package var isRefusalOfCluster: Bool {
        ["MOVED", "ASK", "TRYAGAIN", "CLUSTERDOWN", "READONLY"].contains(serverCode)
    }

    /// True if the command may have been executed although its reply is not known.
    package var isOutcomeUnknown: Bool {
        switch code {
        case .timeout, .connectionLost, .protocolViolation: true
        default: false
        }
    }

    package static let unavailable = RedisError(.unavailable, "not connected")
    static let timeout = RedisError(.timeout, "no reply in time")
    static let closed = RedisError(.closed, "the connection was closed by its owner")
    static let queueFull = RedisError(.queueFull, "too many commands or bytes are waiting for their replies")

    static func unexpected(_ expected: StaticString) -> RedisError {
        RedisError(.unexpectedReply, "expected \(expected)")
    }
}

extension RedisError: CustomStringConvertible {
    package var description: String {
        switch code {
        case .unavailable: "Redis is not connected."
        case .timeout: "Redis did not answer in time."
        case .queueFull: "Too many Redis commands are waiting."
        case .commandTooLarge: "The Redis command is too large."
        case .closed: "The Redis connection is closed."
        case .connectionLost: "The connection to Redis was lost."
        case .server: "Redis answered with an error."
        case .protocolViolation: "The peer does not speak the Redis protocol."
        case .unexpectedReply: "Redis sent a reply of an unexpected kind."
        case .invalidConfiguration: message
        }
    }
}
