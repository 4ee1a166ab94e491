import GraphServices
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle
import Timeline

/// The source of events that a connection follows.
protocol LiveStream: Sendable {
    associatedtype Message: Sendable
    func run(heartbeat: Duration, send: (Message) async throws -> Void) async throws
    func end()
}

extension HomeStream: LiveStream {}
extension PostStream: LiveStream {}

/// Answers that continue as long as their reader stays (server-sent events, HTML Living Standard §9.2).
struct EventStream<Stream: LiveStream>: Sendable {
    /// Opens the stream once the answer has begun; nil if too many are open.
    let open: @Sendable () -> Stream?
    /// Released when the stream is over.
    var slot: BudgetSlot?
    let callers: CallerVerifier
    let text: @Sendable (Stream.Message) async throws -> ByteBuffer

    func response(to request: Request, _ context: GraphRequestContext) -> Response {
        let body = ResponseBody { writer in
            // Opened here: the answer to a HEAD request has no body that would close it.
            defer { slot?.release() }
            guard let stream = open() else {
                try await writer.write(EventText.end("too_many_streams"))
                return try await writer.finish(nil)
            }
            // Without this, a departed client would be noticed only at the next write but one, and count as a reader
            // until then.
            try await request.body.consumeWithInboundCloseHandler { _ in
                try await serve(stream, request, context, &writer)
            } onInboundClosed: {
                // Room before the stream is counted out.
                slot?.release()
                stream.end()
            }
            try await writer.finish(nil)
        }
        // The connection is closed when the stream ends: no further request may be sent over it.
        let headers: HTTPFields = [
            .contentType: "text/event-stream", .cacheControl: "no-store", .connection: "close", .xAccelBuffering: "no",
        ]
        return Response(status: .ok, headers: headers, body: body)
    }

    /// Sends events until the stream ends. A token that has expired or was revoked ends it before the next event.
    private func serve(
        _ stream: Stream, _ request: Request, _ context: GraphRequestContext,
        _ writer: inout any ResponseBodyWriter
    ) async throws {
        let watch = WriteWatch()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await watch.close(context, ifAWriteTakes: RequestLimits.streamWriteLimit) }
            defer { group.cancelAll() }
            try await writer.write(ByteBuffer(string: "retry: \(RequestLimits.streamRetryMilliseconds)\n\n"))
            var isOver = false
            try await withGracefulShutdownHandler {
                try await stream.run(heartbeat: RequestLimits.streamHeartbeat) { message in
                    guard !isOver else { return }
                    isOver = await !isStillValid(request)
                    let event = isOver ? EventText.end("token_invalid") : try await text(message)
                    watch.begin()
                    defer { watch.end() }
                    try await writer.write(event)
                    if isOver {
                        slot?.release()
                        stream.end()
                    }
                }
            } onGracefulShutdown: {
                stream.end()
            }
        }
    }

    /// Only a refused token or a suspended user ends a stream; a failed database query does not.
    private func isStillValid(_ request: Request) async -> Bool {
        do {
            return try await callers.caller(of: request.headers).suspension == nil
        } catch {
            return !(error is Problem)
        }
    }
}

/// Events as bytes.
enum EventText {
    static func event(_ name: String, id: Int64? = nil, data: [UInt8]) -> ByteBuffer {
        var buffer = ByteBuffer(string: id.map { "id: \($0)\n" } ?? "")
        buffer.writeString("event: \(name)\ndata: ")
        buffer.writeBytes(data)
        buffer.writeString("\n\n")
        return buffer
    }

    static let alive = ByteBuffer(string: ": alive\n\n")

    static func end(_ reason: String) -> ByteBuffer { reasoned("end", reason) }

    static func reasoned(_ name: String, _ reason: String) -> ByteBuffer {
        ByteBuffer(string: "event: \(name)\ndata: {\"reason\":\"\(reason)\"}\n\n")
    }
}

extension HTTPField.Name {
    package static let lastEventID = constant("Last-Event-ID")
    static let xAccelBuffering = constant("X-Accel-Buffering")
}
