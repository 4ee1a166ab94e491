import Database

/// The modules above the graph, as its transactions call them.
package final class GraphHooks: DatabaseHooks {
    package let discovery: any GraphDiscovery
    package let idempotency: any GraphIdempotency
    package let media: any GraphMedia
    package let moderation: any GraphModeration
    package let push: any GraphPush
    package let saves: any GraphSaves
    package let sessions: any GraphSessions

    package init(
        discovery: any GraphDiscovery, idempotency: any GraphIdempotency, media: any GraphMedia,
        moderation: any GraphModeration, push: any GraphPush, saves: any GraphSaves, sessions: any GraphSessions
    ) {
        self.discovery = discovery
        self.idempotency = idempotency
        self.media = media
        self.moderation = moderation
        self.push = push
        self.saves = saves
        self.sessions = sessions
    }
}

extension GraphDatabase {
    /// The hooks that the database was opened with; nil: none, for a graph that stands alone.
    package var graphHooks: GraphHooks? { hooks as? GraphHooks }
}

extension GraphTransaction {
    package var graphHooks: GraphHooks? { hooks as? GraphHooks }
}
