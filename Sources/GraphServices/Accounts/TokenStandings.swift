import Sessions
import SocialGraph
import Timeline

/// What the tokens of recent callers are judged by. Brought up to date by every commit before it is acknowledged, so
/// that a token is dead from the moment at which its user is told so.
package struct TokenStandings: Sendable {
    private let graph: GraphStore
    private let known = VersionedCache<UserID, TokenStanding>(capacity: 200_000) { $0.sessions.count / 4 + 1 }

    package init(graph: GraphStore) {
        self.graph = graph
        graph.database.observeCommits { [known] in Self.apply($0.changes, to: known) }
    }

    /// What another process has changed.
    package func observe(_ changes: [GraphChange]) { Self.apply(changes, to: known) }

    private static func apply(_ changes: [GraphChange], to known: VersionedCache<UserID, TokenStanding>) {
        for change in changes {
            switch change {
            case .sessionsChanged(let user), .accountDeleted(let user), .accountModerated(let user):
                known.invalidate(user)
            case .unknown: known.invalidateAll()
            default: break
            }
        }
    }

    /// Nil: there is no such user.
    func standing(of user: UserID) async throws -> TokenStanding? {
        if let standing = known.value(for: user) { return standing }
        let load = known.beginLoad()
        guard let standing = try await graph.sessions.tokenStanding(of: user) else { return nil }
        known.finish(load, user, standing)
        return standing
    }
}
