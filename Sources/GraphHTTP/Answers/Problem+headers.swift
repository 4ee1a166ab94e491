import GraphServices
import HTTPTypes

extension Problem {
    /// Header fields of the answer besides the usual ones; of two contradictory pieces of advice the first holds.
    package var headers: HTTPFields {
        var headers: HTTPFields = [:]
        if let challenge { headers[.wwwAuthenticate] = challenge }
        for advice in advice { headers.addUnlessThere(HTTPFields(advice)) }
        return headers
    }

    /// The required authentication (RFC 6750); nil if authentication would not help.
    private var challenge: String? {
        switch code {
        case .tokenMissing, .wrongCredentials: "Bearer realm=\"graphd\""
        case .tokenInvalid, .tokenExpired: "Bearer realm=\"graphd\", error=\"invalid_token\""
        default: nil
        }
    }
}

extension HTTPFields {
    package init(_ advice: ProblemAdvice) {
        switch advice {
        case .retry(let seconds): self = [.retryAfter: String(seconds)]
        case .rate(let receipt):
            self.init(
                receipt.budget.rawValue, receipt.rate, remaining: receipt.remaining, seconds: receipt.nextInSeconds)
        case .spentRate(let budget, let rate, let seconds):
            self.init(budget.rawValue, rate, remaining: 0, seconds: seconds)
            self[.retryAfter] = String(seconds)
        case .takenSlots(let budget, let perHolder):
            self = [
                .retryAfter: String(BudgetLimits.slotRetrySeconds),
                .rateLimitPolicy: "\"\(budget.rawValue)\";q=\(perHolder);qu=\"concurrent-requests\"",
                .rateLimit: "\"\(budget.rawValue)\";r=0",
            ]
        case .mediaType(let type): self = [.accept: type]
        case .noCoding: self = [.acceptEncoding: "identity"]
        case .fileSize(let bytes): self = [.contentRange: "bytes */\(bytes)", .acceptRanges: "bytes"]
        case .methods(let methods): self = [.allow: methods]
        case .newConnection: self = [.connection: "close"]
        case .notCached: self = [.cacheControl: "no-store"]
        }
    }

    /// `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10): quota `q` in a window of `w`
    /// seconds; `r` left, and more of it in `t` seconds.
    private init(_ name: String, _ rate: Rate, remaining: Int, seconds: Int64) {
        self = [
            .rateLimitPolicy: "\"\(name)\";q=\(rate.count);w=\(rate.seconds)",
            .rateLimit: "\"\(name)\";r=\(remaining);t=\(seconds)",
        ]
    }

    mutating func addUnlessThere(_ more: HTTPFields) {
        for field in more where self[field.name] == nil { append(field) }
    }
}

extension HTTPField.Name {
    static let rateLimitPolicy = constant("RateLimit-Policy")
    package static let rateLimit = constant("RateLimit")
}
