/// An error that a client is told about: a stable code, a sentence, and advice for what to do next.
///
/// It knows nothing of HTTP: how an answer tells it is the encoding's affair.
package struct Problem: Error, Sendable {
    package let code: ProblemCode
    /// Text for the client: says what came and what would be right, and nothing of the server's inside.
    package let detail: String
    /// The field, parameter or header that the problem is about.
    package let field: String?
    /// Advice to the client, in terms that a program understands.
    package let advice: [ProblemAdvice]
    /// The cause, for the log only.
    package let underlying: (any Error)?

    package init(
        _ code: ProblemCode,
        _ detail: String,
        field: String? = nil,
        advice: [ProblemAdvice] = [],
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.detail = detail
        self.field = field
        self.advice = advice
        self.underlying = underlying
    }

    /// The same problem with more advice behind its own.
    package func advising(_ more: ProblemAdvice...) -> Problem {
        Problem(code, detail, field: field, advice: advice + more, underlying: underlying)
    }
}

extension Problem: CustomStringConvertible {
    package var description: String { "\(code.rawValue): \(detail)" }
}
