import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import ServiceTestSupport
import TestSupport

@testable import GraphHTTP
@testable import StrictJSON

/// One event of a stream, parsed according to the HTML Living Standard (§9.2.6). Comments are not events.
struct StreamedEvent: Sendable, Equatable {
    var id: String?
    var name: String?
    var data: String?
    var retry: String?

    var json: JSONValue? { data.flatMap { try? JSONReader.read(Array($0.utf8)) } }
    var postID: String? { json?["postId"]?.text }
}

/// An open stream. It is cut when its last copy is released, like that of a client that vanishes.
struct EventStream {
    let status: Int
    private let headers: HTTPHeaders
    private var body: HTTPClientResponse.Body.AsyncIterator
    private var rest: [UInt8] = []
    /// The number of bytes in `rest` that are known to contain no end of a block.
    private var searched = 0

    init(_ response: HTTPClientResponse) {
        status = Int(response.status.code)
        headers = response.headers
        body = response.body.makeAsyncIterator()
    }

    func header(_ name: String) -> String? { headers.first(name: name) }

    /// The next event; nil at the end, however the stream ended.
    mutating func next() async throws -> StreamedEvent? {
        while true {
            while let end = rest.firstIndex(of: "\n\n", from: searched) {
                let block = Array(rest[..<end])
                rest.removeFirst(end + 2)
                searched = 0
                if let event = StreamedEvent(block: block) { return event }
            }
            searched = max(rest.count - 1, 0)
            try Task.checkCancellation()
            guard let chunk = try? await body.next() else { return nil }
            rest += chunk.readableBytesView
        }
    }

    /// The next `count` posts, which must come as `home` events. Returns fewer if the stream ends before.
    mutating func posts(_ count: Int) async throws -> [StreamedEvent] {
        var events: [StreamedEvent] = []
        while events.count < count, let event = try await next() {
            guard event.name == "home", event.id != nil, event.postID != nil else {
                throw UnexpectedEvent(event: event)
            }
            events.append(event)
        }
        return events
    }
}

struct UnexpectedEvent: Error {
    let event: StreamedEvent
}

extension StreamedEvent {
    /// Nil if the block has only comments.
    init?(block: [UInt8]) {
        var start = 0
        while start < block.count {
            let end = block.firstIndex(of: "\n", from: start) ?? block.count
            defer { start = end + 1 }
            guard let colon = block.firstIndex(of: ": ", from: start), colon > start, colon < end else { continue }
            let value = String(decoding: block[(colon + 2)..<end], as: UTF8.self)
            switch String(decoding: block[start..<colon], as: UTF8.self) {
            case "id": id = value
            case "event": name = value
            case "data": data = (data.map { $0 + "\n" } ?? "") + value
            case "retry": retry = value
            default: continue
            }
        }
        if self == StreamedEvent() { return nil }
    }
}

extension APIClient {
    /// Opens the caller's stream, which resumes after `lastEvent`. Returns once the server has begun to send, so that
    /// no later post is missed.
    func stream(_ path: String = "/v1/stream", after lastEvent: String? = nil) async throws -> EventStream {
        var request = HTTPClientRequest(url: base + path)
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        if let lastEvent { request.headers.add(name: "Last-Event-ID", value: lastEvent) }
        var stream = EventStream(try await http.execute(request, timeout: .minutes(5)))
        guard stream.status == 200, let first = try await stream.next(), first.retry != nil else {
            throw UnexpectedStream(status: stream.status)
        }
        return stream
    }
}

struct UnexpectedStream: Error {
    let status: Int
}

extension GraphdServer {
    /// The number of open streams, according to the server.
    func openStreams() async throws -> Double {
        let answer = try await client().get("/metrics")
        return try PrometheusParser(answer.text).samples["graphd_streams_open"] ?? 0
    }

    func waitUntilStreamsOpen(_ count: Double) async throws {
        while try await openStreams() != count {
            // Not for synchronisation: a busy loop would take processor time from the server.
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
