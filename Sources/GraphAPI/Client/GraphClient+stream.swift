import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// An event of `GET /v1/stream`.
public struct StreamedEvent: Sendable, Equatable {
    /// The value to send as `lastEvent` on reconnecting; only `home` events have one.
    public var id: String?
    /// `home`, `reset` or `end`.
    public var name = "message"
    /// JSON: the post of a `home` event, {reason} for others.
    public var data = ""

    /// The post of a `home` event; nil for others.
    public var postId: String? {
        // The key is the first of the object, so the rest need not be read.
        let parts = data.split(separator: "\"", maxSplits: 4, omittingEmptySubsequences: false)
        return name == "home" && parts.count > 3 && parts[1] == "postId" ? String(parts[3]) : nil
    }
}

extension GraphClient {
    /// `GET /v1/stream`: passes every event to `receive`, until the server closes the stream, the task is cancelled, or
    /// `receive` returns false. `opened` is called when the first bytes of the answer have arrived; the stream includes
    /// everything published from then on.
    ///
    /// - Parameter lastEvent: resumes after this event.
    public func stream(
        after lastEvent: String? = nil, opened: () async throws -> Void = {},
        _ receive: (StreamedEvent) async throws -> Bool
    ) async throws {
        var request = HTTPClientRequest(url: base + "/v1/stream")
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        if let lastEvent { request.headers.add(name: "Last-Event-ID", value: lastEvent) }
        let response = try await http.execute(request, timeout: .hours(24))
        guard response.status == .ok else {
            let body = try await response.body.collect(upTo: 1 << 20)
            throw GraphClientError(status: Int(response.status.code), body: String(buffer: body))
        }
        var parser = EventParser()
        var isOpen = false
        for try await chunk in response.body {
            if !isOpen {
                isOpen = true
                try await opened()
            }
            for event in parser.events(in: chunk) where try await !receive(event) { return }
        }
    }
}

/// Splits a stream of bytes into events (HTML Living Standard §9.2.6) whose lines end with a line feed.
struct EventParser {
    private var line: [UInt8] = []
    private var event = StreamedEvent()
    private var hasData = false

    /// The events that end in `chunk`.
    mutating func events(in chunk: ByteBuffer) -> [StreamedEvent] {
        var events: [StreamedEvent] = []
        for byte in chunk.readableBytesView {
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                continue
            }
            if let ended = endLine() { events.append(ended) }
            line.removeAll(keepingCapacity: true)
        }
        return events
    }

    /// The event that an empty line ends; nil: none, or one without data.
    private mutating func endLine() -> StreamedEvent? {
        if line.isEmpty {
            defer {
                event = StreamedEvent()
                hasData = false
            }
            return hasData ? event : nil
        }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[colon...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        let text = String(decoding: value, as: UTF8.self)
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "id": event.id = text
        case "event": event.name = text
        case "data":
            event.data = hasData ? event.data + "\n" + text : text
            hasData = true
        default: break
        }
        return nil
    }
}
