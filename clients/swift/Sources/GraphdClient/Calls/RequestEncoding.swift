import Foundation

/// Makes HTTP requests of calls.
struct RequestEncoding: Sendable {
    private let server: URL
    /// The address of the server without a slash at its end.
    private let base: String
    private let userAgent: String

    init(server: URL, userAgent: String) {
        var base = server.absoluteString
        while base.hasSuffix("/") { base.removeLast() }
        self.base = base
        self.server = server
        self.userAgent = userAgent
    }

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
        case .bytes(let json):
            request.headers["Content-Type"] = "application/json"
            request.body = .bytes(json)
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
        var text = base
        for segment in call.path { text += "/" + Self.escaped(segment) }
        let query = call.query.compactMap { item in
            item.value.map { "\(Self.escaped(item.name))=\(Self.escaped($0))" }
        }
        if !query.isEmpty { text += "?" + query.joined(separator: "&") }
        guard let url = URL(string: text) else { throw ClientError.invalidArgument("\(server) is not a server's URL.") }
        return url
    }

    private static func escaped(_ text: String) -> String {
        // Ids, names and numbers, as nearly all are, need not be escaped.
        guard !text.utf8.allSatisfy(isAlphanumeric) else { return text }
        return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}
