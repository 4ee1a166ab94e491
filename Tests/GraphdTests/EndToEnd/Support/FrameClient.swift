import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import NIOSSL

/// A client of HTTP/2 that sends exactly the given frames, as no honest client would.
final class FrameClient: Sendable {
    private let channel: any Channel
    private let received: AsyncStream<HTTP2Frame>

    init(port: Int) async throws {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        configuration.applicationProtocols = ["h2"]
        let context = try NIOSSLContext(configuration: configuration)
        let (received, frames) = AsyncStream.makeStream(of: HTTP2Frame.self)
        self.received = received
        channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(NIOSSLClientHandler(context: context, serverHostname: nil))
                    try pipeline.addHandler(NIOHTTP2Handler(mode: .client))
                    try pipeline.addHandler(FrameReader(frames))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
    }

    /// Sends the head of a request on the stream of that number, 1, 3, 5, ….
    func request(_ method: String, _ path: String, stream: Int, isWhole: Bool) {
        let headers: HPACKHeaders = [
            ":method": method, ":path": path, ":scheme": "https", ":authority": "127.0.0.1",
        ]
        send(.headers(.init(headers: headers, endStream: isWhole)), stream)
    }

    func abandon(stream: Int) { send(.rstStream(.cancel), stream) }

    func flush() { channel.flush() }

    private func send(_ payload: HTTP2Frame.FramePayload, _ stream: Int) {
        channel.write(HTTP2Frame(streamID: HTTP2StreamID(stream), payload: payload), promise: nil)
    }

    enum Kind {
        case head
        case reset
        case goAway
        case other

        init(_ payload: HTTP2Frame.FramePayload) {
            switch payload {
            case .headers: self = .head
            case .rstStream: self = .reset
            case .goAway: self = .goAway
            default: self = .other
            }
        }
    }

    /// Waits for a frame. Returns false if the server closes the connection without it.
    func frame(_ kind: Kind, stream: Int) async -> Bool {
        for await frame in received where Kind(frame.payload) == kind && frame.streamID == HTTP2StreamID(stream) {
            return true
        }
        return false
    }

    /// Waits until the server has closed the connection.
    func closed() async {
        for await _ in received {}
    }

    func close() async throws { try await channel.close() }
}

/// Passes frames on, and the end of the connection.
private final class FrameReader: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame

    private let frames: AsyncStream<HTTP2Frame>.Continuation

    init(_ frames: AsyncStream<HTTP2Frame>.Continuation) { self.frames = frames }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { frames.yield(unwrapInboundIn(data)) }
    func channelInactive(context: ChannelHandlerContext) { frames.finish() }
    /// The client stays, as an honest one would not.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}
