import Foundation

/// Makes HTTP requests of calls.
struct RequestEncoding: Sendable {
    let server: URL
    let userAgent: String

    /// The characters that stand for themselves in a segment of a path and in a query.
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    /// - Parameters:
    ///   - key: The `Idempotency-Key`, the same for each repetition.
    ///   - token: The bearer token.
    func request(_ call: Call, key: String?, token: String?) throws -> HTTPRequest {
        var request = HTTPRequest(method: call.method, url: try url(call))
        request.headers = ["Accept": "application/json, */*;q=0.5", "User-Agent": userAgent]
        request.headers["Authorization"] = token.map { "Bearer \($0)" }
        request.headers["Idempotency-Key"] = key
        request.headers["Last-Event-ID"] = call.lastEventId
        switch call.body {
        case .none: break
        case .json(let value):
            request.headers["Content-Type"] = "application/json"
            request.body = .bytes(try JSONCoding.encoder().encode(value))
        case .form(let parts, let progress):
            let form = MultipartForm(parts: parts)
            request.headers["Content-Type"] = form.contentType
            request.body = .stream(length: form.length, form.stream(progress))
        }
        return request
    }

    private func url(_ call: Call) throws -> URL {
        // An empty segment, or one that moves in the tree, would name another path.
        guard call.path.allSatisfy({ !["", ".", ".."].contains($0) }) else {
            throw ClientError.invalidArgument("An id must not be empty, \".\" or \"..\".")
        }
        var text = server.absoluteString
        while text.hasSuffix("/") { text.removeLast() }
        for segment in call.path { text += "/" + Self.escaped(segment) }
        let query = call.query.compactMap { item in
            item.value.map { "\(Self.escaped(item.name))=\(Self.escaped($0))" }
        }
        if !query.isEmpty { text += "?" + query.joined(separator: "&") }
        guard let url = URL(string: text) else { throw ClientError.invalidArgument("\(server) is not a server's URL.") }
        return url
    }

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }
}
