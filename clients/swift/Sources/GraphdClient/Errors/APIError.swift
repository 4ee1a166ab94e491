import Foundation

/// An error that the server answered with.
///
/// ```swift
/// do {
///     try await client.posts.like(postId: id)
/// } catch let error as APIError where error.code == .postNotFound {
///     hide(id)
/// }
/// ```
public struct APIError: Error, Sendable, Equatable {
    public let status: Int
    /// The stable code. Nil if the answer was not graphd's, but that of a proxy, say.
    public let code: ProblemCode?
    /// The cause, for people. It may change between versions.
    public let detail: String?
    /// The field, parameter or header at fault, if there is one.
    public let field: String?
    /// The id of the request in the server's log.
    public let requestId: String?
    /// The seconds after which the request may succeed, if the server gave them.
    public let retryAfter: Int?

    init(status: Int, body: Data, retryAfter: Int?) {
        let problem = try? JSONCoding.decoder().decode(Body.self, from: body)
        self.status = status
        code = problem?.code
        // The product APIs put their text elsewhere.
        detail = problem?.detail ?? problem?.message ?? problem?.error
        field = problem?.field
        requestId = problem?.requestId
        self.retryAfter = retryAfter.flatMap { $0 >= 0 ? $0 : nil }
    }

    private struct Body: Decodable {
        let code: ProblemCode?
        let detail, message, error, field, requestId: String?
    }
}

extension APIError: LocalizedError, CustomStringConvertible {
    public var description: String {
        [String(status), code?.rawValue, detail].compactMap(\.self).joined(separator: " ")
    }

    public var errorDescription: String? { detail ?? "The server answered with status \(status)." }
}
