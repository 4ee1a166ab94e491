import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// A client for a running graphd over HTTP, for the load tests and any other program.
public struct GraphClient: Sendable {
    let base: String
    let token: String?
    let http: HTTPClient
    let timeout: TimeAmount

    /// - Parameters:
    ///   - base: such as `http://127.0.0.1:8080`, without a slash at the end.
    ///   - token: a bearer token; nil for requests that need none.
    public init(base: String, token: String? = nil, http: HTTPClient = .shared, timeout: TimeAmount = .seconds(30)) {
        self.base = base
        self.token = token
        self.http = http
        self.timeout = timeout
    }

    /// Returns a client of the same server for another user.
    public func with(token: String) -> GraphClient {
        GraphClient(base: base, token: token, http: http, timeout: timeout)
    }

    /// `POST /v1/posts`; returns the id of the new post.
    public func publish(_ post: PostDraft) async throws -> String {
        try await send("POST", "/v1/posts", body: post, answer: PostReference.self).postId
    }

    /// `GET /v1/timelines/home`
    public func home(limit: Int = 20, cursor: String? = nil) async throws -> TimelineAnswer {
        let after = cursor.map { "&cursor=\($0)" } ?? ""
        return try await send("GET", "/v1/timelines/home?limit=\(limit)\(after)", answer: TimelineAnswer.self)
    }

    /// `GET /v1/me`
    public func me() async throws -> UserAnswer { try await send("GET", "/v1/me", answer: UserAnswer.self) }

    /// `GET /readyz`
    public func readiness() async throws -> ReadinessAnswer {
        try await send("GET", "/readyz", answer: ReadinessAnswer.self)
    }

    /// Polls `/readyz` until no job is left that may still change a window. Throws ``GraphClientError`` after `limit`.
    public func waitUntilOutboxIsEmpty(within limit: Duration = .seconds(600)) async throws {
        let deadline = ContinuousClock.now + limit
        while true {
            let ready = try await readiness()
            guard let outbox = ready.outbox else {
                throw GraphClientError(
                    status: 0, body: "GET /readyz shows its details only to callers on the server's machine")
            }
            if ready.redis == "up", outbox.pending == 0 { return }
            guard ContinuousClock.now < deadline else {
                throw GraphClientError(status: 0, body: "the outbox still holds \(outbox.pending) jobs")
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    func send<Answer: Decodable>(
        _ method: String, _ path: String, body: (any Encodable)? = nil, answer: Answer.Type
    ) async throws -> Answer {
        let bytes = try await send(method, path, body: body)
        return try JSONDecoder().decode(answer, from: Data(bytes.readableBytesView))
    }

    @discardableResult
    func send(_ method: String, _ path: String, body: (any Encodable)? = nil) async throws -> ByteBuffer {
        var request = HTTPClientRequest(url: base + path)
        request.method = .init(rawValue: method)
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: try JSONEncoder().encode(body)))
        }
        let response = try await http.execute(request, timeout: timeout)
        let bytes = try await response.body.collect(upTo: 8 << 20)
        guard (200..<300).contains(response.status.code) else {
            throw GraphClientError(status: Int(response.status.code), body: String(buffer: bytes))
        }
        return bytes
    }
}

/// The server refused a request.
public struct GraphClientError: Error, CustomStringConvertible {
    /// HTTP status; 0 if the client gave up on its own.
    public let status: Int
    public let body: String
    public var description: String { "\(status): \(body)" }
}
