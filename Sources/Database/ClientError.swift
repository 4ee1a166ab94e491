/// An error that may be shown to a client.
package protocol ClientError: Error {
    var answer: ErrorAnswer { get }
}

/// The part of an error that a client sees.
package struct ErrorAnswer: Sendable {
    /// A stable code: clients switch over it.
    package let code: String
    /// A sentence that is safe to show and says what would be right.
    package let message: String
    /// The input that the error is about, if its code implies one.
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
