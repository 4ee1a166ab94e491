import Foundation

/// An answer as the server sent it, which may be a refusal.
public struct RawAnswer: Sendable {
    public let status: Int
    /// The headers, by their names in lower case. The last one of several with the same name counts.
    public let headers: [String: String]
    public let body: Data

    /// The error of the server; nil if the answer is a success.
    public var refusal: APIError? {
        guard !(200..<300).contains(status) else { return nil }
        return APIError(status: status, body: body, retryAfter: headers["retry-after"].flatMap(Int.init))
    }

    /// Reads the body as JSON, whatever the status.
    ///
    /// - Throws: `ClientError.invalidAnswer` if it is not of the type.
    public func decoded<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        do {
            return try JSONCoding.decoder().decode(type, from: body)
        } catch {
            throw ClientError.invalidAnswer(error)
        }
    }
}

extension GraphdClient {
    /// Sends any request of the API and returns its answer unchanged, also if it is a refusal.
    ///
    /// For programs that pass answers on, or read a part of them. The request has the session, the renewal of its token
    /// and the repetitions of all others.
    ///
    /// ```swift
    /// let answer = try await client.answer(.get, "/v1/timelines/home", query: [("limit", "20")])
    /// ```
    ///
    /// - Parameters:
    ///   - path: Segments that begin with a slash each, such as `/v1/posts/5`. The client escapes them.
    ///   - query: Names and values, which the client escapes. One without a value is left out.
    ///   - body: JSON; nil for none.
    ///   - idempotencyKey: A name for this act. Without one, a POST is repeated only after 429.
    /// - Throws: `ClientError`, such as `connection` without an answer and `sessionEnded`.
    public func answer(
        _ method: HTTPRequest.Method, _ path: String, query: [(name: String, value: String?)] = [], body: Data? = nil,
        idempotencyKey: String? = nil
    ) async throws -> RawAnswer {
        guard path.hasPrefix("/") else { throw ClientError.invalidArgument("A path begins with a slash.") }
        return try await exchange.answer(
            Call(
                method, path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(String.init),
                query: query.map { QueryItem($0.name, $0.value) },
                repetition: idempotencyKey.map { .withKey($0) } ?? .byMethod,
                body: body.map { .bytes($0) } ?? .none, authorization: .optional))
    }
}
