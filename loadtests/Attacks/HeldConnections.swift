import NIOCore
import NIOPosix

/// Connections that send some bytes and then stay open in silence. A refused or closed one is opened again after a
/// pause.
// Proof: after `init`, what changes is touched on `loop` alone.
final class HeldConnections: @unchecked Sendable {
    private static let pause = TimeAmount.milliseconds(100)

    private let loop: any EventLoop
    private let group: MultiThreadedEventLoopGroup
    private let port: Int
    private let source: String
    private let opening: ByteBuffer
    private var isOver = false
    private var open: [ObjectIdentifier: any Channel] = [:]

    init(port: Int, source: String, opening: ByteBuffer) {
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        loop = group.next()
        self.port = port
        self.source = source
        self.opening = opening
    }

    func start(_ count: Int) {
        loop.execute { for _ in 0..<count { self.connect() } }
    }

    /// Closes all of them.
    func stop() async throws {
        try await loop.submit {
            self.isOver = true
            for channel in self.open.values { channel.close(promise: nil) }
        }.get()
        try await group.shutdownGracefully()
    }

    private func connect() {
        guard !isOver, let address = try? SocketAddress(ipAddress: source, port: 0) else { return }
        ClientBootstrap(group: loop).bind(to: address).connect(host: "127.0.0.1", port: port).whenComplete { outcome in
            guard case .success(let channel) = outcome, !self.isOver else { return self.connectLater() }
            self.open[ObjectIdentifier(channel)] = channel
            channel.closeFuture.whenComplete { _ in
                self.open[ObjectIdentifier(channel)] = nil
                self.connectLater()
            }
            if self.opening.readableBytes > 0 { channel.writeAndFlush(self.opening, promise: nil) }
        }
    }

    private func connectLater() {
        guard !isOver else { return }
        loop.scheduleTask(in: Self.pause) { self.connect() }
    }
}
