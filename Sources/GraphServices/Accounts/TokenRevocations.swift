import Sessions
import SocialGraph
import Timeline

/// The token revocations of recent callers. Every commit updates them before it is acknowledged, so that a token is
/// dead by the time its user learns of it.
package struct TokenRevocations: Sendable {
    private let graph: GraphStore
    private let known = VersionedCache<UserID, TokenRevocationState>(capacity: 200_000) { $0.sessions.count / 4 + 1 }

    package init(graph: GraphStore) {
        self.graph = graph
        graph.database.observeCommits { [known] in Self.apply($0.changes, to: known) }
    }

    /// Applies the changes of another process.
    package func observe(_ changes: [GraphChange]) { Self.apply(changes, to: known) }

    private static func apply(_ changes: [GraphChange], to known: VersionedCache<UserID, TokenRevocationState>) {
        for change in changes {
            switch change {
            case .sessionsChanged(let user), .accountDeleted(let user), .accountModerated(let user):
                known.invalidate(user)
            case .unknown: known.invalidateAll()
            default: break
            }
        }
    }

    /// Returns a service token; nil if it was revoked. It is read for each request, of which there are few.
    func service(_ text: ServiceTokenText) async throws -> ServiceToken? {
        try await graph.serviceTokens.token(text)
    }

    /// Returns the token revocations of a user; nil if there is no such user.
    func state(of user: UserID) async throws -> TokenRevocationState? {
        if let revocation = known.value(for: user) { return revocation }
        let load = known.beginLoad()
        guard let revocation = try await graph.sessions.tokenRevocationState(of: user) else { return nil }
        known.finish(load, user, revocation)
        return revocation
    }
}
