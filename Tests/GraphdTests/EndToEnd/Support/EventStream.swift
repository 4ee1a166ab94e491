import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import ServiceTestSupport

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

    init(_ response: HTTPClientResponse) {
        status = Int(response.status.code)
        headers = response.headers
        body = response.body.makeAsyncIterator()
    }

    func header(_ name: String) -> String? { headers.first(name: name) }

    /// The next event; nil at the end, however the stream ended.
    mutating func next() async throws -> StreamedEvent? {
        while true {
            while let end = endOfBlock() {
                let block = String(decoding: rest[..<end], as: UTF8.self)
                rest.removeFirst(end + 2)
                if let event = StreamedEvent(block: block) { return event }
            }
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

    private func endOfBlock() -> Int? {
        rest.indices.dropLast().first { rest[$0] == 0x0a && rest[$0 + 1] == 0x0a }
    }
}

struct UnexpectedEvent: Error {
    let event: StreamedEvent
}

extension StreamedEvent {
    /// Nil if the block has only comments.
    init?(block: String) {
        for line in block.split(separator: "\n") where !line.hasPrefix(":") {
            let parts = line.split(separator: ": ", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { continue }
            switch parts[0] {
            case "id": id = parts[1]
            case "event": name = parts[1]
            case "data": data = (data.map { $0 + "\n" } ?? "") + parts[1]
            case "retry": retry = parts[1]
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
