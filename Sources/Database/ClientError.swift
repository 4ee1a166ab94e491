/// An error that a client may be told of.
package protocol ClientError: Error {
    var answer: ErrorAnswer { get }
}

/// What a client is told of an error.
package struct ErrorAnswer: Sendable {
    /// Stable: clients switch over it.
    package let code: String
    /// A sentence that is safe to show and says what would be right.
    package let message: String
    /// The input that the error is about, where its code tells it.
    package let field: String?

    package init(_ code: String, _ message: String, field: String? = nil) {
        self.code = code
        self.message = message
        self.field = field
    }
}

extension ClientError {
    package var code: String { answer.code }
    package var message: String { answer.message }
}
