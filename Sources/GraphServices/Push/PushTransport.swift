import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// The answer to a request for a push.
package struct PushAnswer: Sendable {
    package let status: Int
    package let headers: HTTPHeaders
    /// The body; empty if it was not requested, or is longer than the limit.
    package let body: [UInt8]

    package var retryAfter: String? { headers.first(name: "Retry-After") }
}

/// `POST`s with a time limit.
enum PushTransport {
    /// Longest time of an attempt, unless its sender is given another.
    static let attempt = Duration.seconds(10)
    /// Largest number of bytes read of an answer.
    static let answerBytes = 65_536

    static func post(
        _ url: String, headers: [(String, String)], body: [UInt8], over client: HTTPClient = .shared,
        readingAnswer: Bool = true, within limit: Duration = PushTransport.attempt
    ) async throws -> PushAnswer {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        request.body = .bytes(body)
        let response = try await client.execute(request, timeout: TimeAmount(limit))
        let answer = readingAnswer ? try? await response.body.collect(upTo: Self.answerBytes) : nil
        return PushAnswer(
            status: Int(response.status.code), headers: response.headers,
            body: answer.map { Array($0.readableBytesView) } ?? [])
    }
}
