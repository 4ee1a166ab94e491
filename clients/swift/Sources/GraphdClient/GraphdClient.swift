import Foundation

/// A client of one graphd server, for one user at a time.
///
/// Its methods are in groups: `client.posts.create(…)`, `client.timelines.home()`. Copies share the session.
///
/// ```swift
/// let client = GraphdClient(server: url, session: saved) { session in try? store.save(session) }
/// try await client.logIn(email: "ada@example.org", password: password)
/// for try await item in client.timelines.homeItems() { show(item) }
/// ```
public struct GraphdClient: Sendable {
    let exchange: Exchange

    /// - Parameters:
    ///   - server: The address of the server, such as `https://api.example.org`. A path is kept.
    ///   - session: The session of an earlier run, from which the client continues.
    ///   - transport: Sends the requests.
    ///   - configuration: Limits and repetitions.
    ///   - sessionChanged: Called with each new session before it is used, and with nil when it has ended. An app keeps
    ///     it in its key chain: a refresh token is good for one request.
    public init(
        server: URL,
        session: Session? = nil,
        transport: any HTTPTransport = AsyncHTTPClientTransport.shared,
        configuration: Configuration = Configuration(),
        sessionChanged: @escaping @Sendable (Session?) async -> Void = { _ in }
    ) {
        exchange = Exchange(
            server: server,
            transport: transport,
            configuration: configuration,
            sessions: SessionKeeper(session: session, changed: sessionChanged)
        )
    }

    init(exchange: Exchange) {
        self.exchange = exchange
    }
}
