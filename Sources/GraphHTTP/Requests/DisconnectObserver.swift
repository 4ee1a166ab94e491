import NIOCore

/// Detects that the peer of a connection, or of a stream of HTTP/2, has closed it or its half, and calls the
/// registered observers.
package final class DisconnectObserver: ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = ByteBuffer

    private var hasLeft = false
    private var callbacks: [ObjectIdentifier: @Sendable () -> Void] = [:]

    package init() {}

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed { leave() }
        context.fireUserInboundEventTriggered(event)
    }

    package func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    private func leave() {
        hasLeft = true
        let told = callbacks.values
        callbacks = [:]
        for callback in told { callback() }
    }

    fileprivate func add(_ id: ObjectIdentifier, _ callback: @escaping @Sendable () -> Void) {
        if hasLeft { callback() } else { callbacks[id] = callback }
    }

    fileprivate func remove(_ id: ObjectIdentifier) { callbacks[id] = nil }
}

/// Registers one call from the ``DisconnectObserver`` of a connection, if it has one, until ``end()``.
package final class DisconnectCallback: Sendable {
    private let channel: any Channel

    package init(_ channel: any Channel, _ callback: @escaping @Sendable () -> Void) {
        self.channel = channel
        channel.eventLoop.execute { [self] in watch?.add(ObjectIdentifier(self), callback) }
    }

    package func end() {
        channel.eventLoop.execute { [self] in watch?.remove(ObjectIdentifier(self)) }
    }

    /// On the event loop only.
    private var watch: DisconnectObserver? {
        try? channel.pipeline.syncOperations.handler(type: DisconnectObserver.self)
    }
}
