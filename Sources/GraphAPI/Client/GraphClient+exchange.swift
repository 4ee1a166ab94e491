import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// An unchanged answer of the server, which may be a refusal.
package struct GraphAnswer: Sendable {
    package let status: Int
    /// Seconds that the server asks the client to wait.
    package let retryAfter: Int64?
    package let body: [UInt8]
}

extension GraphClient {
    /// The server's address, such as `http://127.0.0.1:8080`.
    package var address: String { base }

    /// Sends any request of the API, for programs that pass answers on unchanged.
    ///
    /// - Parameter json: the body; nil: none.
    package func exchange(_ method: String, _ path: String, json: [UInt8]? = nil) async throws -> GraphAnswer {
        var request = HTTPClientRequest(url: base + path)
        request.method = HTTPMethod(rawValue: method)
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        if let json {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: json))
        }
        let response = try await http.execute(request, timeout: timeout)
        let body = try await response.body.collect(upTo: 64 << 20)
        return GraphAnswer(
            status: Int(response.status.code),
            retryAfter: response.headers.first(name: "Retry-After").flatMap { Int64($0) },
            body: Array(body.readableBytesView))
    }
}
