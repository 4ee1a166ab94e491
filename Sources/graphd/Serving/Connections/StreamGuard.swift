import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Ends a stream of HTTP/2 whose client keeps the server waiting for too long, and counts it at the ``ConnectionGate``.
final class StreamGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let meter: ConnectionMeter
    private var patience: ConnectionPatience
    private var gate: ConnectionGate?
    private var timer: Scheduled<Void>?
    /// Bytes of the answer that wait for the client to take them.
    private var unsent = 0

    init(meter: ConnectionMeter, limits: ConnectionPatience.Limits, now: NIODeadline) {
        self.meter = meter
        patience = ConnectionPatience(limits, now: now)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        gate = try? context.channel.parent?.pipeline.syncOperations.handler(type: ConnectionGate.self)
        gate?.note { $0.opensStream() }
        check(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) { leave(context) }

    func channelInactive(context: ChannelHandlerContext) {
        leave(context)
        context.fireChannelInactive()
    }

    private func leave(_ context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
        let now = context.eventLoop.now
        gate?.note { $0.closesStream(now: now) }
        gate = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let now = context.eventLoop.now
        switch unwrapInboundIn(data) {
        case .head: patience.beginsRequest(now: now)
        case .body(let bytes): patience.receives(bytes.readableBytes, now: now)
        case .end: patience.endsRequest(now: now)
        }
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        patience.reads(now: context.eventLoop.now)
        context.read()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            patience.beginsAnswer()
            // HTTP/2 has no such field: a connection serves other requests as well.
            head.headerFields[.connection] = nil
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body(let bytes):
            let count = bytes.readableBytes
            unsent += count
            patience.writes(count)
            let written = promise ?? context.eventLoop.makePromise()
            written.futureResult.assumeIsolated().whenComplete { [self] _ in unsent -= count }
            context.write(data, promise: written)
        case .end:
            patience.endsAnswer(now: context.eventLoop.now)
            context.write(data, promise: promise)
        }
    }

    private func check(_ context: ChannelHandlerContext) {
        switch patience.verdict(now: context.eventLoop.now, unsent: unsent) {
        case .wait(let deadline):
            let bound = NIOLoopBound((guard: self, context: context), eventLoop: context.eventLoop)
            timer = context.eventLoop.scheduleTask(deadline: deadline) { bound.value.guard.check(bound.value.context) }
        case .close(let overdue):
            meter.overdue(overdue)
            context.close(promise: nil)
        }
    }
}
