import GraphServices
import Hummingbird
import Idempotency
import Logging
import NIOCore
import Synchronization

/// The context of a request, which every handler receives.
package struct GraphRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The id of this request in the answer, in problem bodies and in the log.
    var requestID: String
    /// The caller, set once the bearer token is verified.
    let caller = RequestCaller()
    /// Proxies trusted to name the origin of a request.
    var proxies = TrustedProxies.none
    /// The claim of a request with an idempotency key; nil: it has none, or its route does not know keys.
    var claim: IdempotencyClaim?
    private let channel: any Channel

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
        requestID = RequestID().description
    }

    /// Returns the address that the request came from, according to trusted proxies; nil for a unix socket.
    package func address(of request: Request) -> IPAddress? {
        proxies.origin(of: channel.remoteAddress.flatMap { IPAddress($0) }, request.headers)
    }

    /// Returns the address for which budgets count the request.
    func addressBlock(of request: Request) -> AddressBlock { AddressBlock(address(of: request)) }

    /// Returns the caller: a user or a program once the token is verified, otherwise an address.
    func holder(of request: Request) -> BudgetHolder {
        if let user = caller.userID { return .user(user) }
        if let service = caller.service { return .service(service) }
        return .address(addressBlock(of: request))
    }

    /// Returns the caller of work that may have to wait; the wait ends when the client disconnects.
    func workCaller(of request: Request, as holder: BudgetHolder? = nil) -> WorkCaller {
        WorkCaller(holder ?? self.holder(of: request)) { [channel] wait in
            let waiting = Task { try await wait() }
            let disconnect = DisconnectCallback(channel) { waiting.cancel() }
            defer { disconnect.end() }
            try await withTaskCancellationHandler {
                try await waiting.value
            } onCancel: {
                waiting.cancel()
            }
        }
    }

    /// True if the request was made on this machine: over the loopback interface or a unix socket.
    var isFromLoopback: Bool {
        guard let address = channel.remoteAddress.flatMap({ IPAddress($0) }) else { return true }
        return address.isLoopback
    }

    /// True if the request comes from a trusted proxy, or from this machine and was not forwarded.
    func isVouched(by proxies: TrustedProxies, for request: Request) -> Bool {
        if let peer = channel.remoteAddress.flatMap({ IPAddress($0) }), proxies.contains(peer.unmapped) { return true }
        return isFromLoopback && !request.headers.contains(.forwarded) && !request.headers.contains(.xForwardedFor)
    }

    /// A logger whose lines name the request. Created on demand: most requests leave no line.
    package var namedLogger: Logger {
        var logger = logger
        // Hummingbird's own id under its own key would be a second name for the same request.
        logger[metadataKey: "hb.request.id"] = nil
        logger[metadataKey: LogKeys.requestID] = .string(requestID)
        return logger
    }

    /// Closes the connection without an answer.
    func closeConnection() { channel.close(promise: nil) }

    /// Closes the connection after `delay`, unless the returned value is cancelled before.
    @discardableResult
    func closeConnection(after delay: Duration) -> Scheduled<Void> {
        channel.eventLoop.scheduleTask(in: TimeAmount(delay)) { [channel] in channel.close(promise: nil) }
    }

    package var maxUploadSize: Int { RequestLimits.bodyBytes }
}

/// The caller of one request. A reference, because a context is passed on by value, and the middleware that logs the
/// request runs outside the one that identifies the caller.
final class RequestCaller: Sendable {
    /// 0 is no user's id.
    private let storage = Atomic<Int64>(0)
    private let sessionStorage = Atomic<Int64>(0)
    private let authenticatedAtStorage = Atomic<Int64>(0)
    private let serviceStorage = Atomic<Int64>(0)

    /// The verified user's id; nil before verification and for anonymous requests.
    var userID: Int64? {
        let id = storage.load(ordering: .relaxed)
        return id == 0 ? nil : id
    }

    /// The session of the request's token; nil for a token without one.
    var session: Int64? {
        let id = sessionStorage.load(ordering: .relaxed)
        return id == 0 ? nil : id
    }

    /// The time of the log-in for the request's token, in milliseconds since 1970; nil if the token belongs to a
    /// session, which has its own time.
    var authenticatedAt: Int64? {
        let time = authenticatedAtStorage.load(ordering: .relaxed)
        return time == 0 ? nil : time
    }

    /// The verified service token; nil for users and anonymous requests.
    var service: Int64? {
        let id = serviceStorage.load(ordering: .relaxed)
        return id == 0 ? nil : id
    }

    func identify(asService token: Int64) { serviceStorage.store(token, ordering: .relaxed) }

    func identify(as userID: Int64, session: Int64? = nil, authenticatedAt: Int64? = nil) {
        authenticatedAtStorage.store(authenticatedAt ?? 0, ordering: .relaxed)
        sessionStorage.store(session ?? 0, ordering: .relaxed)
        storage.store(userID, ordering: .relaxed)
    }
}
