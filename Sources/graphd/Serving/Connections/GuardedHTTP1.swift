import Database
import GraphHTTP
import GraphServices
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import SocialGraph

/// HTTP/1 connections behind a ``ConnectionGate`` and a ``RequestScreen``.
struct GuardedHTTP1: ServerChildChannel {
    let http: HTTP1Channel
    let limiter: ConnectionLimiter
    let meter: ConnectionMeter
    let patience: ConnectionPatience.Limits

    /// - Parameter responder: answers requests.
    static func builder(
        limiter: ConnectionLimiter, meter: ConnectionMeter, patience: ConnectionPatience.Limits
    ) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            let decoder = HTTP1Channel.Configuration.DecoderConfiguration(
                maxHeaderFieldSize: RequestLimits.headerFieldBytes, maxHeaderListSize: RequestLimits.headerBytes,
                maxHeaderFieldCount: RequestLimits.headerFields)
            return GuardedHTTP1(
                http: HTTP1Channel(responder: responder, configuration: .init(httpDecoderConfiguration: decoder)),
                limiter: limiter, meter: meter, patience: patience)
        }
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        http.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let gate = ConnectionGate(limiter: limiter, meter: meter, limits: patience, now: channel.eventLoop.now)
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(RequestScreen(gate: gate), position: .after(decoder))
            try pipeline.addHandler(DisconnectObserver(), position: .first)
            try pipeline.addHandler(gate, position: .first)
            return value
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        let presence = ClientPresence()
        let disconnect = DisconnectCallback(value.channel) { presence.leave() }
        defer { disconnect.end() }
        await ClientPresence.$current.withValue(presence) {
            await http.handle(value: value, logger: logger)
        }
    }
}
