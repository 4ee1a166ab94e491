/// An error for a client: a stable code, a sentence, and advice on what to do next.
///
/// It is independent of HTTP: the encoding decides how an answer presents it.
package struct Problem: Error, Sendable {
    package let code: ProblemCode
    /// Text for the client: states the value received and an acceptable one, and nothing about the server's internals.
    package let detail: String
    /// The field, parameter or header with the problem.
    package let field: String?
    /// Machine-readable advice to the client.
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

    /// Returns the same problem with more advice appended.
    package func advising(_ more: ProblemAdvice...) -> Problem {
        Problem(code, detail, field: field, advice: advice + more, underlying: underlying)
    }
}

extension Problem: CustomStringConvertible {
    package var description: String { "\(code.rawValue): \(detail)" }
}
