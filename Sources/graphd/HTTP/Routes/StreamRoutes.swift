import GraphAPI
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle
import SocialGraph
import Timeline

/// New home items as they come (server-sent events, HTML Living Standard §9.2).
struct StreamRoutes: Sendable {
    let streams: StreamBroker

    /// `GET /v1/stream` → `text/event-stream`. With `Last-Event-ID`, first what was missed since.
    ///
    /// Events: `home` (an `id:` line with the place in the change log; data is the post), `reset` (what was missed is
    /// not kept any more: read the timeline anew), `end` (data: {reason}; the server closes the stream). A comment
    /// every ``RequestLimits/streamHeartbeat`` shows that the stream is alive.
    @Sendable func home(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try context.requireCaller()
        let lastEvent = try Self.lastEvent(in: request.headers)
        guard streams.hasRoom(for: caller) else {
            throw Problem(
                .rateLimited,
                "At most \(TimelineLimits.streamsPerReader) streams of one user may be open. Close one first.",
                headers: [.retryAfter: "5"])
        }
        // Asked before the answer starts: what comes after the client has seen that is news.
        let opened = try await streams.latestChange()
        let body = ResponseBody { writer in
            // Opened here: a HEAD request has an answer, but no body that would close it.
            guard let stream = streams.open(for: caller, lastEvent: lastEvent, opened: opened) else {
                try await writer.write(EventText.end("too_many_streams"))
                return try await writer.finish(nil)
            }
            // A client that has gone away would else be noticed at the next write but one, and count as a reader until
            // then.
            try await request.body.consumeWithInboundCloseHandler { _ in
                try await serve(stream, context, &writer)
            } onInboundClosed: {
                stream.end()
            }
            try await writer.finish(nil)
        }
        let headers: HTTPFields = [
            .contentType: "text/event-stream", .cacheControl: "no-store", .xAccelBuffering: "no",
        ]
        return Response(status: .ok, headers: headers, body: body)
    }

    private func serve(
        _ stream: HomeStream, _ context: GraphRequestContext, _ writer: inout any ResponseBodyWriter
    ) async throws {
        let watch = WriteWatch()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await watch.close(context, ifAWriteTakes: RequestLimits.streamWriteLimit) }
            defer { group.cancelAll() }
            try await writer.write(ByteBuffer(string: "retry: \(RequestLimits.streamRetryMilliseconds)\n\n"))
            try await withGracefulShutdownHandler {
                try await stream.run(heartbeat: RequestLimits.streamHeartbeat) { message in
                    watch.begin()
                    defer { watch.end() }
                    try await writer.write(EventText.text(of: message))
                }
            } onGracefulShutdown: {
                stream.end()
            }
        }
    }

    private static func lastEvent(in headers: HTTPFields) throws -> Int64? {
        guard let text = headers[.lastEventID], !text.isEmpty else { return nil }
        guard let id = TextRules.parseID(text) else {
            throw Problem(
                .invalidHeader, "Last-Event-ID must be the id of an event of this stream.", field: "Last-Event-ID")
        }
        return id
    }
}

/// Events as bytes.
private enum EventText {
    static func text(of message: HomeStream.Message) -> ByteBuffer {
        switch message {
        case .item(let event):
            var json = JSONWriter(reservingCapacity: event.item.post.head.count + 160)
            json.post(event.item.post)
            var buffer = ByteBuffer(string: "id: \(event.sequence)\nevent: home\ndata: ")
            buffer.writeBytes(json.bytes)
            buffer.writeString("\n\n")
            return buffer
        case .quiet: return ByteBuffer(string: ": alive\n\n")
        case .reset: return ByteBuffer(string: "event: reset\ndata: {\"reason\":\"too_old\"}\n\n")
        case .tooSlow: return end("too_slow")
        case .ended: return end("server_stopping")
        }
    }

    static func end(_ reason: String) -> ByteBuffer {
        ByteBuffer(string: "event: end\ndata: {\"reason\":\"\(reason)\"}\n\n")
    }
}

extension HTTPField.Name {
    static let lastEventID = constant("Last-Event-ID")
    static let xAccelBuffering = constant("X-Accel-Buffering")

    private static func constant(_ text: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else {
            preconditionFailure("a constant header name must be a valid one")
        }
        return name
    }
}
