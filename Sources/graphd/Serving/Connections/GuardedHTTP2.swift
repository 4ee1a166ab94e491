import Database
import GraphHTTP
import GraphServices
import HTTPMiddleware
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP2
import NIOHTTPTypesHTTP2

/// Connections of HTTP/2 behind a ``ConnectionGate``: a stream for each request, behind a ``StreamGuard``.
struct GuardedHTTP2: Sendable {
    typealias Value = NIOHTTP2Handler.AsyncStreamMultiplexer<AcceptedConnection>

    let http: AcceptedHTTP1
    let meter: ConnectionMeter
    let patience: ConnectionPatience.Limits

    /// Unread bytes of bodies that a connection, or one of its streams, may send: for uploads over long distances.
    private static let window = 262_144

    private static let limits: NIOHTTP2Handler.Configuration = {
        let (count, span) = (RequestLimits.abandonedRequests, TimeAmount(RequestLimits.connectionWindow))
        var connection = NIOHTTP2Handler.ConnectionConfiguration()
        connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: RequestLimits.connectionRequests),
            HTTP2Setting(parameter: .maxHeaderListSize, value: RequestLimits.headerBytes),
        ]
        connection.maximumSequentialEmptyDataFrames = 1
        connection.targetWindowSize = window
        connection.maximumSequentialContinuationFrames = RequestLimits.headerBytes / 16_384 + 1
        // Answers to control frames that wait because the client does not read.
        connection.maximumBufferedControlFrames = 1_000
        connection.controlFrameRateLimit.maximumCount = count
        connection.controlFrameRateLimit.windowLength = span
        var stream = NIOHTTP2Handler.StreamConfiguration()
        stream.targetWindowSize = window
        stream.streamResetFrameRateLimit.maximumCount = count
        stream.streamResetFrameRateLimit.windowLength = span
        stream.streamErrorRateLimit.maximumCount = count
        stream.streamErrorRateLimit.windowLength = span
        return NIOHTTP2Handler.Configuration(connection: connection, stream: stream)
    }()

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            let now = channel.eventLoop.now
            try pipeline.handler(type: ConnectionGate.self).note { $0.multiplexes(now: now) }
            let manager = NIOHTTP2ServerConnectionManagementHandler(
                eventLoop: channel.eventLoop,
                configuration: .init(maxIdleTime: patience.idle, maxAge: nil, maxGraceTime: nil, keepalive: nil))
            let watch = ConnectionErrors.Watch()
            try pipeline.addHandler(watch)
            let streams = try pipeline.configureAsyncHTTP2Pipeline(
                mode: .server, streamDelegate: manager.http2StreamDelegate, configuration: Self.limits
            ) { stream in
                stream.eventLoop.makeCompletedFuture {
                    let pipeline = stream.pipeline.syncOperations
                    try pipeline.addHandlers(
                        DisconnectObserver(), HTTP2FramePayloadToHTTPServerCodec(),
                        StreamGuard(meter: meter, limits: patience, now: stream.eventLoop.now))
                    return AcceptedConnection(try HTTP1Channel.Value(wrappingChannelSynchronously: stream))
                }
            }
            try pipeline.addHandlers(manager, ConnectionErrors(watch))
            return streams
        }
    }

    func handle(value: Value, logger: Logger) async {
        do {
            try await withThrowingDiscardingTaskGroup { group in
                for try await stream in value.inbound {
                    group.addTask { await answer(stream, logger) }
                }
            }
        } catch {
            logger.trace("connection failed", metadata: [LogKeys.error: "\(error)"])
        }
    }

    /// Serves one stream, which is like a connection of HTTP/1 with a single request.
    private func answer(_ stream: AcceptedConnection, _ logger: Logger) async {
        let presence = ClientPresence()
        let disconnect = DisconnectCallback(stream.channel) { presence.leave() }
        defer { disconnect.end() }
        await ClientPresence.$current.withValue(presence) { await http.handle(value: stream, logger: logger) }
    }
}
