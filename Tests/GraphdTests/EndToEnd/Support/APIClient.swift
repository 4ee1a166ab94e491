import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import ServiceTestSupport
import SocialGraph
import TestSupport

@testable import StrictJSON

/// An HTTP client of the server under test, for one user or without a token. It returns answers without judging them.
struct APIClient: Sendable {
    let http: HTTPClient
    let base: String
    let token: String?
    var timeout = TimeAmount.seconds(120)
    /// True if requests are repeated while the node is not current, and so has done nothing.
    var waitsForNode = false

    /// The same client on a machine that may be too busy for heartbeats.
    var patient: APIClient {
        var client = self
        client.waitsForNode = true
        return client
    }

    func send(
        _ method: String, _ path: String, body: [UInt8]? = nil, headers: [(String, String)] = []
    ) async throws -> Answer {
        while true {
            let answer = try await ask(method, path, body: body, headers: headers)
            guard try await isToBeRepeated(answer) else { return answer }
        }
    }

    /// Returns true, after a pause, if a node that is not current has refused a request of a patient client.
    func isToBeRepeated(_ answer: Answer) async throws -> Bool {
        guard waitsForNode, answer.status == 503, try answer.json["code"]?.text == "not_current" else { return false }
        // Not for synchronisation: the pause between two polls.
        try await Task.sleep(for: .milliseconds(100))
        return true
    }

    private func ask(
        _ method: String, _ path: String, body: [UInt8]?, headers: [(String, String)]
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: base + path)
        request.method = HTTPMethod(rawValue: method)
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let body {
            if !request.headers.contains(name: "Content-Type") {
                request.headers.add(name: "Content-Type", value: "application/json")
            }
            request.body = .bytes(body)
        }
        let response = try await http.execute(request, timeout: timeout)
        let buffer = try await response.body.collect(upTo: 16 << 20)
        return Answer(
            status: Int(response.status.code), headers: response.headers, body: Array(buffer.readableBytesView))
    }

    func get(_ path: String) async throws -> Answer { try await send("GET", path) }
    func put(_ path: String) async throws -> Answer { try await send("PUT", path) }
    func delete(_ path: String) async throws -> Answer { try await send("DELETE", path) }

    func post(_ path: String, _ json: String, headers: [(String, String)] = []) async throws -> Answer {
        try await send("POST", path, body: Array(json.utf8), headers: headers)
    }

    /// Publishes a post with the required members only, and returns its id.
    func publish(_ caption: String = "a caption") async throws -> String {
        let answer = try await post(
            "/v1/posts", #"{"caption":"\#(caption)","mediaUrl":"https://example.org/v.mp4"}"#)
        guard answer.status == 201, let id = try answer.json["postId"]?.text else { throw UnexpectedAnswer(answer) }
        return id
    }

    /// The ids of a first page.
    func page(_ path: String) async throws -> [String] {
        let answer = try await get(path)
        guard answer.status == 200 else { throw UnexpectedAnswer(answer) }
        return try answer.json.ids
    }

    /// Returns every item of a list, page by page. Throws if a page breaks the rules of paging.
    func walk(_ path: String, limit: Int = 100) async throws -> [JSONValue] {
        var items: [JSONValue] = []
        var cursor: String?
        repeat {
            let answer = try await get("\(path)?limit=\(limit)" + (cursor.map { "&cursor=\($0)" } ?? ""))
            guard answer.status == 200, let page = try answer.json["items"]?.entries else {
                throw UnexpectedAnswer(answer)
            }
            cursor = try answer.json["nextCursor"]?.text
            guard page.count == limit || cursor == nil, page.count <= limit else { throw UnexpectedAnswer(answer) }
            items += page
        } while cursor != nil
        return items
    }

    /// The post ids of a whole timeline.
    func ids(_ path: String, limit: Int = 100) async throws -> [String] {
        try await walk(path, limit: limit).compactMap { $0["postId"]?.text }
    }
}

struct Answer: Sendable, CustomStringConvertible {
    let status: Int
    let headers: HTTPHeaders
    let body: [UInt8]

    var json: JSONValue { get throws { try JSONReader.read(body) } }
    var text: String { String(decoding: body, as: UTF8.self) }
    /// Returns whether the body has these bytes. Unlike a search of its text, it takes no time to speak of.
    func has(_ part: String) -> Bool { body.has(part) }
    var description: String { "\(status) \(text.prefix(500))" }
    func header(_ name: String) -> String? { headers.first(name: name) }
}

struct UnexpectedAnswer: Error, CustomStringConvertible {
    let description: String
    init(_ answer: Answer) { description = "not expected: \(answer)" }
}
