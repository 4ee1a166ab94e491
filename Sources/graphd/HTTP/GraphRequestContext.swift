import Hummingbird
import Logging
import NIOCore
import Synchronization

/// What every handler is given beside the request.
struct GraphRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Names this request in the answer, in problem bodies and in the log.
    var requestID: String
    /// Who is asking, filled in once the bearer token is verified.
    let caller = RequestCaller()
    private let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
        requestID = RequestID().description
    }

    /// The peer's IP address without its port, or `local` for a unix socket.
    var peerAddress: String {
        channel.remoteAddress?.ipAddress ?? "local"
    }

    /// A logger whose lines name the request. Made where there is something to say: most requests leave no line.
    var namedLogger: Logger {
        var logger = logger
        // Hummingbird's own id under its own key would be a second name for the same request.
        logger[metadataKey: "hb.request.id"] = nil
        logger[metadataKey: LogKeys.requestID] = .string(requestID)
        return logger
    }

    /// Closes the connection without another word.
    func closeConnection() { channel.close(promise: nil) }

    /// Closes the connection after `delay`, unless the return value is cancelled before.
    @discardableResult
    func closeConnection(after delay: Duration) -> Scheduled<Void> {
        channel.eventLoop.scheduleTask(in: TimeAmount(delay)) { [channel] in channel.close(promise: nil) }
    }

    var maxUploadSize: Int { RequestLimits.bodyBytes }
}

/// The caller of one request. A reference, because the middleware that logs the request runs outside the one that finds
/// out who is asking, and a context is handed down by value.
final class RequestCaller: Sendable {
    /// 0 is no user's id.
    private let storage = Atomic<Int64>(0)
    private let sessionStorage = Atomic<Int64>(0)

    /// The verified user's id, or nil before verification and for anonymous requests.
    var userID: Int64? {
        let id = storage.load(ordering: .relaxed)
        return id == 0 ? nil : id
    }

    /// The session that the request's token belongs to; nil for a token without one.
    var session: Int64? {
        let id = sessionStorage.load(ordering: .relaxed)
        return id == 0 ? nil : id
    }

    func identify(as userID: Int64, session: Int64? = nil) {
        sessionStorage.store(session ?? 0, ordering: .relaxed)
        storage.store(userID, ordering: .relaxed)
    }
}
