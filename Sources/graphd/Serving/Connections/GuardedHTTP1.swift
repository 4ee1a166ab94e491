import Database
import GraphHTTP
import GraphServices
import HTTPMiddleware
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import SocialGraph

/// HTTP/1 connections behind a ``ConnectionGate`` and a ``RequestScreen``.
struct GuardedHTTP1: ServerChildChannel {
    let http: AcceptedHTTP1
    let limiter: ConnectionLimiter
    let meter: ConnectionMeter
    let patience: ConnectionPatience.Limits

    init(
        _ responder: @escaping HTTPChannelHandler.Responder, limiter: ConnectionLimiter, meter: ConnectionMeter,
        patience: ConnectionPatience.Limits
    ) {
        let decoder = HTTP1Channel.Configuration.DecoderConfiguration(
            maxHeaderFieldSize: RequestLimits.headerFieldBytes, maxHeaderListSize: RequestLimits.headerBytes,
            maxHeaderFieldCount: RequestLimits.headerFields)
        http = AcceptedHTTP1(responder, configuration: .init(httpDecoderConfiguration: decoder))
        (self.limiter, self.meter, self.patience) = (limiter, meter, patience)
    }

    static func builder(
        limiter: ConnectionLimiter, meter: ConnectionMeter, patience: ConnectionPatience.Limits
    ) -> HTTPServerBuilder {
        HTTPServerBuilder { GuardedHTTP1($0, limiter: limiter, meter: meter, patience: patience) }
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<AcceptedConnection> {
        channel.eventLoop.makeCompletedFuture { try addGate(to: channel, isEncrypted: false) }
            .flatMap { setupBehindGate(channel: channel, logger: logger) }
    }

    /// Adds the outermost handlers of a connection.
    func addGate(to channel: any Channel, isEncrypted: Bool) throws {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(
            ConnectionGate(
                limiter: limiter, meter: meter, limits: patience, isEncrypted: isEncrypted, now: channel.eventLoop.now))
        try pipeline.addHandler(DisconnectObserver())
    }

    /// Sets up the rest of a connection that has a gate.
    func setupBehindGate(channel: any Channel, logger: Logger) -> EventLoopFuture<AcceptedConnection> {
        http.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let gate = try pipeline.handler(type: ConnectionGate.self)
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(RequestScreen(gate: gate), position: .after(decoder))
            return value
        }
    }

    func handle(value: AcceptedConnection, logger: Logger) async {
        let presence = ClientPresence()
        let disconnect = DisconnectCallback(value.channel) { presence.leave() }
        defer { disconnect.end() }
        await ClientPresence.$current.withValue(presence) {
            await http.handle(value: value, logger: logger)
        }
    }
}
