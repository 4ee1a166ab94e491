import NIOCore

/// One kept-open connection with a request at a time. It runs on the generator's event loop.
final class LoadConnection: ChannelInboundHandler {
    typealias InboundIn = AnswerDecoder.Answer
    typealias OutboundOut = ByteBuffer

    /// The request whose answer the connection awaits.
    struct Turn {
        let kind: Int
        /// Time at which it was to be sent.
        let due: NIODeadline
    }

    private var context: ChannelHandlerContext?
    private var turn: Turn?
    /// Called with an answered turn; nil if the connection was lost.
    private let answered: (LoadConnection, Turn, AnswerDecoder.Answer?) -> Void
    private let lost: (LoadConnection) -> Void

    init(
        answered: @escaping (LoadConnection, Turn, AnswerDecoder.Answer?) -> Void,
        lost: @escaping (LoadConnection) -> Void
    ) {
        self.answered = answered
        self.lost = lost
    }

    func send(_ request: LoadRequest, due: NIODeadline) {
        turn = Turn(kind: request.kind, due: due)
        context?.writeAndFlush(wrapOutboundOut(request.bytes), promise: nil)
    }

    func close() { context?.close(promise: nil) }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        finish(unwrapInboundIn(data))
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.context = nil
        finish(nil)
        lost(self)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func finish(_ answer: AnswerDecoder.Answer?) {
        guard let turn else { return }
        self.turn = nil
        answered(self, turn, answer)
    }
}
