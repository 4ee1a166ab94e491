import NIOCore

/// Closes a connection of HTTP/2 after an error of the connection, as RFC 9113, section 5.4.1, demands.
/// `NIOHTTP2Handler` says GOAWAY and leaves the rest to its user: a client that does not care could stay, and be told
/// again and again.
///
/// Errors of the connection and of a single stream reach the pipeline alike. Only before the former, the last that was
/// written is a GOAWAY, which ``Watch`` sees: it stands before the handler of HTTP/2, and this one behind it.
final class ConnectionErrors: ChannelInboundHandler {
    typealias InboundIn = Never

    private let watch: Watch

    init(_ watch: Watch) { self.watch = watch }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if watch.hasJustSaidGoAway { context.close(promise: nil) }
        context.fireErrorCaught(error)
    }

    /// Remembers whether the last frame that was written is a GOAWAY with an error.
    final class Watch: ChannelOutboundHandler {
        typealias OutboundIn = IOData
        typealias OutboundOut = IOData

        private(set) var hasJustSaidGoAway = false

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            if case .byteBuffer(let frame) = unwrapOutboundIn(data) {
                hasJustSaidGoAway = Self.isGoAwayWithError(frame)
            } else {
                hasJustSaidGoAway = false
            }
            context.write(data, promise: promise)
        }

        /// RFC 9113, sections 4.1 and 6.8: length 8 in three bytes, type 7, flags, stream 0, the last stream, and the
        /// error.
        private static func isGoAwayWithError(_ frame: ByteBuffer) -> Bool {
            let start = frame.readerIndex
            return frame.readableBytes == 17 && frame.getInteger(at: start) == 0x0000_0807 as UInt32
                && frame.getInteger(at: start + 13) != 0 as UInt32
        }
    }
}
