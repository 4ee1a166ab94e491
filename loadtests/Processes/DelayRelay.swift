import NIOCore
import NIOPosix

/// Forwards TCP connections to a port of this machine, with a delay in each direction, like a network in between.
final class DelayRelay: Sendable {
    let port: Int
    private let group: MultiThreadedEventLoopGroup

    init(to target: Int, delay: TimeAmount) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        self.group = group
        let server = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 64)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { channel in
                ClientBootstrap(group: channel.eventLoop)
                    .channelOption(.autoRead, value: false)
                    .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                    .connect(host: "127.0.0.1", port: target)
                    .flatMap { peer in
                        channel.eventLoop.makeCompletedFuture {
                            try channel.pipeline.syncOperations.addHandler(Forwarding(to: peer, delay: delay))
                            try peer.pipeline.syncOperations.addHandler(Forwarding(to: channel, delay: delay))
                        }
                    }
                    .flatMap { channel.setOption(.tcpOption(.tcp_nodelay), value: 1) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        guard let port = server.localAddress?.port else { throw Program.Failure(description: "the relay has no port") }
        self.port = port
    }

    func stop() { group.shutdownGracefully { _ in } }

    private final class Forwarding: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let peer: any Channel
        private let delay: TimeAmount

        init(to peer: any Channel, delay: TimeAmount) {
            self.peer = peer
            self.delay = delay
        }

        func channelActive(context: ChannelHandlerContext) { context.read() }
        func handlerAdded(context: ChannelHandlerContext) { if context.channel.isActive { context.read() } }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let (buffer, peer) = (unwrapInboundIn(data), peer)
            // Tasks of one loop with equal delays run in order.
            context.eventLoop.assumeIsolated().scheduleTask(in: delay) { peer.writeAndFlush(buffer, promise: nil) }
        }

        func channelReadComplete(context: ChannelHandlerContext) { context.read() }

        func channelInactive(context: ChannelHandlerContext) {
            let peer = peer
            context.eventLoop.assumeIsolated().scheduleTask(in: delay) { peer.close(promise: nil) }
        }
    }
}
