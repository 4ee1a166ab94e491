import HTTPTypes
import Sessions

/// The routes that accept service tokens, each with the scope that it needs. To any other route such a token is closed.
enum ServiceRoutes {
    /// Returns the scope for a request; nil if no service token is accepted.
    static func scope(of method: HTTPRequest.Method, at path: String?) -> ServiceScope? {
        path.flatMap { scopes["\(method.rawValue) \($0)"] }
    }

    static let scopes: [String: ServiceScope] = [
        "PUT /v1/media/{id}/renditions/{name}": .renditions,
        "DELETE /v1/media/{id}/renditions/{name}": .renditions,
        "PUT /v1/posts/{id}/transcript": .transcripts,
    ]
}
