import GraphServices
import HTTPMiddleware
import HummingbirdCore
import Logging
import NIOCore
import NIOSSL
import NIOTLS

/// Connections of TLS behind a ``ConnectionGate``, with HTTP/2 or HTTP/1 as the client prefers (ALPN).
struct GuardedHTTPS: ServerChildChannel {
    enum Negotiated: Sendable {
        case http1(AcceptedConnection)
        case http2(GuardedHTTP2.Value)
    }

    struct Value: ServerChildChannelValue {
        let negotiated: EventLoopFuture<Negotiated>
        let channel: any Channel
    }

    let certificate: ServerCertificate
    let http1: GuardedHTTP1
    let http2: GuardedHTTP2

    static func builder(
        certificate: ServerCertificate, limiter: ConnectionLimiter, meter: ConnectionMeter,
        patience: ConnectionPatience.Limits
    ) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            let http1 = GuardedHTTP1(responder, limiter: limiter, meter: meter, patience: patience)
            return GuardedHTTPS(
                certificate: certificate, http1: http1,
                http2: GuardedHTTP2(http: http1.http, meter: meter, patience: patience))
        }
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            try http1.addGate(to: channel, isEncrypted: true)
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(NIOSSLServerHandler(context: certificate.context))
            let negotiation = NIOTypedApplicationProtocolNegotiationHandler<Negotiated> { result, channel in
                if case .negotiated("h2") = result {
                    return http2.setup(channel: channel, logger: logger).map { .http2($0) }
                }
                // A client without ALPN speaks HTTP/1.
                return http1.setupBehindGate(channel: channel, logger: logger).map { .http1($0) }
            }
            try pipeline.addHandler(negotiation)
            try pipeline.addHandler(HandshakeFailure())
            return Value(negotiated: negotiation.protocolNegotiationResult, channel: channel)
        }
    }

    func handle(value: Value, logger: Logger) async {
        do {
            switch try await value.negotiated.get() {
            case .http1(let connection): await http1.handle(value: connection, logger: logger)
            case .http2(let connection): await http2.handle(value: connection, logger: logger)
            }
        } catch {
            logger.trace("no handshake", metadata: [LogKeys.error: "\(error)"])
        }
    }
}

/// Closes a connection whose handshake fails. It is passed on by nobody once a protocol is agreed.
private final class HandshakeFailure: ChannelInboundHandler {
    typealias InboundIn = Any

    private var isOver = false

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? TLSUserEvent, case .handshakeCompleted = event { isOver = true }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if isOver { context.fireErrorCaught(error) } else { context.close(promise: nil) }
    }
}
