import Foundation

/// Firebase Cloud Messaging's answer to a message (HTTP v1, "FCM error codes").
enum FirebaseAnswer: Sendable, Equatable {
    /// Milliseconds for which sending to Firebase pauses when its answer demands a pause without a time.
    static let quotaPause: Int64 = 60_000

    case sent
    /// The token has expired, is malformed, or belongs to another project.
    case badToken(String)
    /// The message will never be accepted.
    case rejected(String)
    /// The access token is not accepted.
    case unauthenticated
    /// Too many messages: sending pauses for so many milliseconds.
    case quotaExceeded(Int64)
    /// A fault of Firebase. `retryAfter`: at least so many milliseconds.
    case unavailable(String, retryAfter: Int64?)

    /// `now`: milliseconds since 1970.
    init(_ answer: PushAnswer, now: Int64) {
        let retryAfter = RetryAfter.milliseconds(answer.retryAfter, now: now)
        let failure = (try? JSONDecoder().decode(Failure.self, from: Data(answer.body)))?.error
        let code = failure?.code ?? String(answer.status)
        switch (answer.status, failure?.code) {
        case (200..<300, _): self = .sent
        case (404, "UNREGISTERED"?), (_, "SENDER_ID_MISMATCH"?): self = .badToken(code)
        case (400, _) where failure?.blamesToken == true: self = .badToken(code)
        case (401, "THIRD_PARTY_AUTH_ERROR"?): self = .unavailable(code, retryAfter: retryAfter)
        case (401, _): self = .unauthenticated
        case (429, _): self = .quotaExceeded(retryAfter ?? Self.quotaPause)
        case (408, _), (500..., _): self = .unavailable(code, retryAfter: retryAfter)
        default: self = .rejected(code)
        }
    }

    private struct Failure: Decodable {
        let error: Status
    }

    /// `google.rpc.Status`
    private struct Status: Decodable {
        let status: String?
        let message: String?
        let details: [Detail]?

        /// FCM's own code, more specific than the general one of Google's APIs.
        var code: String? { details?.lazy.compactMap(\.errorCode).first ?? status }

        /// True if the token is wrong, not the message: `INVALID_ARGUMENT` means either.
        var blamesToken: Bool {
            let fields = details?.flatMap { $0.fieldViolations ?? [] }.compactMap(\.field) ?? []
            guard fields.isEmpty else { return fields.contains("message.token") }
            return message?.contains("registration token") == true
        }
    }

    private struct Detail: Decodable {
        let errorCode: String?
        let fieldViolations: [Violation]?
    }

    private struct Violation: Decodable {
        let field: String?
    }
}
