import HummingbirdCore
import Logging
import NIOCore

/// HTTP/1 for servers that may end while they accept connections.
package struct AcceptedHTTP1: ServerChildChannel {
    private let http: HTTP1Channel

    package init(
        _ responder: @escaping HTTPChannelHandler.Responder, configuration: HTTP1Channel.Configuration = .init()
    ) {
        http = HTTP1Channel(responder: responder, configuration: configuration)
    }

    package static var builder: HTTPServerBuilder { HTTPServerBuilder { AcceptedHTTP1($0) } }

    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<AcceptedConnection> {
        http.setup(channel: channel, logger: logger).map(AcceptedConnection.init)
    }

    package func handle(value: AcceptedConnection, logger: Logger) async {
        if let connection = value.take() { await http.handle(value: connection, logger: logger) }
    }
}
