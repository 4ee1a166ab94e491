import Foundation

/// Sends one request and returns its answer. It follows no redirects and repeats nothing.
///
/// Cancelling the task that waits for `send`, or for the next piece of the body, ends the exchange.
public protocol HTTPTransport: Sendable {
    /// Returns when the head of the answer has arrived; its body follows.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse
}

public struct HTTPRequest: Sendable {
    public enum Method: String, Sendable {
        case get = "GET"
        case put = "PUT"
        case post = "POST"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    public enum Body: Sendable {
        case none
        case bytes(Data)
        /// Pieces that are made anew for each attempt, and their length in bytes if it is known.
        case stream(length: Int64?, BodyStream)
    }

    public var method: Method
    public var url: URL
    public var headers: [String: String]
    public var body: Body

    public init(method: Method, url: URL, headers: [String: String] = [:], body: Body = .none) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

public struct HTTPResponse: Sendable {
    public var status: Int
    public var body: BodyStream
    /// Values by names in lower case.
    let headers: [String: String]

    /// The last one of several headers with the same name counts.
    public init(status: Int, headers: some Sequence<(String, String)>, body: BodyStream) {
        self.status = status
        self.body = body
        self.headers = Dictionary(headers.map { ($0.0.lowercased(), $0.1) }) { _, last in last }
    }

    /// Returns a header by its name, in any case of letters.
    public func header(_ name: String) -> String? { headers[name.lowercased()] }
}
