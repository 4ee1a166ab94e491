import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

/// Sends requests with AsyncHTTPClient.
public struct AsyncHTTPClientTransport: HTTPTransport {
    /// One client for the whole process, with connections that are kept open.
    public static let shared = AsyncHTTPClientTransport(client: HTTPClient(configuration: configuration))

    /// No redirects: a token is for one server only. A stream of graphd is never silent for as long as the limit.
    private static var configuration: HTTPClient.Configuration {
        HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(connect: .seconds(10), read: .seconds(60))
        )
    }

    private let client: HTTPClient

    /// - Parameter client: Must not follow redirects. The caller shuts it down.
    public init(client: HTTPClient) {
        self.client = client
    }

    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        var outgoing = HTTPClientRequest(url: request.url.absoluteString)
        outgoing.method = HTTPMethod(rawValue: request.method.rawValue)
        outgoing.headers = HTTPHeaders(request.headers.map { ($0.key, $0.value) })
        outgoing.body = Self.body(request.body)
        let response = try await client.execute(outgoing, deadline: .distantFuture)
        let body = response.body
        return HTTPResponse(
            status: Int(response.status.code),
            headers: response.headers.map { ($0.name, $0.value) },
            body: BodyStream {
                var iterator = body.makeAsyncIterator()
                return { try await iterator.next().map { Data(buffer: $0) } }
            }
        )
    }

    private static func body(_ body: HTTPRequest.Body) -> HTTPClientRequest.Body? {
        switch body {
        case .none: nil
        case .bytes(let data): .bytes(ByteBuffer(data: data))
        case .stream(let length, let stream):
            .stream(stream.map { ByteBuffer(data: $0) }, length: length.map { .known($0) } ?? .unknown)
        }
    }
}
