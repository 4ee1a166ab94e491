import GraphHTTP
import GraphServices
import HTTPTypes
import NIOCore

/// The outermost handler of a connection: admits it or answers 503, and closes it when the peer keeps the server
/// waiting for too long. A connection of TLS is closed without an answer.
final class ConnectionGate: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private enum State {
        case new
        case open
        /// Answered with 503; further input is not read.
        case refused
        case closed
    }

    private let limiter: ConnectionLimiter
    private let meter: ConnectionMeter
    private let limits: ConnectionPatience.Limits
    /// True if the bytes are those of TLS: an answer in plain text would be none.
    private let isEncrypted: Bool
    private var state = State.new
    private var address: IPAddress?
    private var patience: ConnectionPatience
    private var timer: Scheduled<Void>?

    init(
        limiter: ConnectionLimiter, meter: ConnectionMeter, limits: ConnectionPatience.Limits, isEncrypted: Bool,
        now: NIODeadline
    ) {
        self.limiter = limiter
        self.meter = meter
        self.limits = limits
        self.isEncrypted = isEncrypted
        patience = ConnectionPatience(limits, now: now)
    }

    /// Updates ``ConnectionPatience`` with the events that the request handler sees.
    func note(_ change: (inout ConnectionPatience) -> Void) { change(&patience) }

    func channelActive(context: ChannelHandlerContext) {
        address = context.channel.remoteAddress.flatMap { IPAddress($0) }
        switch limiter.enter(address) {
        case .admitted:
            state = .open
            meter.opened()
            patience = ConnectionPatience(limits, now: context.eventLoop.now)
            context.fireChannelActive()
            check(context)
        case .refused(let why):
            state = .refused
            meter.refused(why)
            // The later handlers must see that it became active to see that it ends.
            context.fireChannelActive()
            refuse(context)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { leave() }

    private func leave() {
        timer?.cancel()
        timer = nil
        switch state {
        case .open:
            limiter.leave(address)
            meter.closed()
        case .refused: limiter.endRefusal()
        case .new, .closed: break
        }
        state = .closed
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .open = state else { return }
        patience.receives(unwrapInboundIn(data).readableBytes, now: context.eventLoop.now)
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        patience.reads(now: context.eventLoop.now)
        context.read()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .open = state else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        if case .byteBuffer(let buffer) = unwrapOutboundIn(data) { patience.writes(buffer.readableBytes) }
        context.write(data, promise: promise)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if case .output = mode { patience.closes(now: context.eventLoop.now) }
        context.close(mode: mode, promise: promise)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .refused = state, let event = event as? ChannelEvent, event == .inputClosed {
            context.close(promise: nil)
        }
        context.fireUserInboundEventTriggered(event)
    }

    // MARK: Deadlines

    private func check(_ context: ChannelHandlerContext) {
        guard case .open = state else { return }
        switch patience.verdict(now: context.eventLoop.now, unsent: Self.unsent(context)) {
        case .wait(let deadline): schedule(context, at: deadline) { $0.check($1) }
        case .close(let overdue):
            meter.overdue(overdue)
            if !isEncrypted, patience.canAnswer, overdue == .header || overdue == .body {
                let answer = context.channel.allocator.buffer(bytes: Self.timedOut)
                context.writeAndFlush(wrapOutboundOut(.byteBuffer(answer)), promise: nil)
            }
            context.close(promise: nil)
        }
    }

    private static func unsent(_ context: ChannelHandlerContext) -> Int {
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    private func schedule(
        _ context: ChannelHandlerContext, at deadline: NIODeadline,
        _ body: @escaping (ConnectionGate, ChannelHandlerContext) -> Void
    ) {
        let bound = NIOLoopBound((gate: self, context: context, body: body), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(deadline: deadline) {
            let bound = bound.value
            bound.gate.timer = nil
            bound.body(bound.gate, bound.context)
        }
    }

    // MARK: Refusal

    /// Answers 503 and closes. The peer has a moment to read it: unread bytes that it has sent would discard the
    /// answer.
    private func refuse(_ context: ChannelHandlerContext) {
        guard !isEncrypted, limiter.beginRefusal() else {
            state = .closed
            context.close(promise: nil)
            return
        }
        let answer = context.channel.allocator.buffer(bytes: Self.refusal)
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(answer)), promise: nil)
        context.close(mode: .output, promise: nil)
        schedule(context, at: context.eventLoop.now + .seconds(1)) { $1.close(promise: nil) }
    }

    private static let refusal = answer(
        "503 Service Unavailable",
        Problem(
            .busy, "Too many connections, in total or from your address. Try again later.",
            advice: [.retry(afterSeconds: 5)]))
    private static let timedOut = answer(
        "408 Request Timeout", Problem(.requestTimeout, "The request did not arrive within the time limit."))

    private static func answer(_ status: String, _ problem: Problem) -> [UInt8] {
        let body = problem.json(requestID: nil)
        var head = "HTTP/1.1 \(status)\r\nContent-Type: \(Problem.mediaType)\r\nContent-Length: \(body.count)\r\n"
        for field in problem.headers { head += "\(field.name): \(field.value)\r\n" }
        return Array((head + "Connection: close\r\n\r\n").utf8) + body
    }
}
