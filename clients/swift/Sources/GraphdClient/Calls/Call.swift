import Foundation

/// A request of the API, before it is encoded.
struct Call: Sendable {
    /// Whether a request may be sent again when its outcome is unknown.
    enum Repetition: Sendable {
        /// By the method: all but POST change nothing when they are repeated.
        case byMethod
        /// With an `Idempotency-Key`, which is drawn if the app gives none.
        case withKey(String?)
        case never
    }

    enum Authorization: Sendable {
        case required
        /// With the token, if there is one.
        case optional
        case none
    }

    enum Body: Sendable {
        case none
        case json(any Encodable & Sendable)
        /// JSON that the caller has written.
        case bytes(Data)
        case form([FormPart], UploadProgress?)

        static func optional(_ value: (any Encodable & Sendable)?) -> Body { value.map { .json($0) } ?? .none }
    }

    let method: HTTPRequest.Method
    let path: [String]
    let query: [QueryItem]
    let repetition: Repetition
    let lastEventId: String?
    let body: Body
    let authorization: Authorization

    init(
        _ method: HTTPRequest.Method,
        _ path: [String],
        query: [QueryItem] = [],
        repetition: Repetition = .byMethod,
        lastEventId: String? = nil,
        body: Body = .none,
        authorization: Authorization = .required
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.repetition = repetition
        self.lastEventId = lastEventId
        self.body = body
        self.authorization = authorization
    }

    /// Whether a second request has no second effect.
    var isRepeatable: Bool {
        switch repetition {
        case .byMethod: method != .post
        case .withKey: true
        case .never: false
        }
    }
}
