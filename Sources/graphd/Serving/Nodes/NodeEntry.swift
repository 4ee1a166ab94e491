import CommandSupport
import Database
import GraphHTTP
import GraphServices
import Logging
import ServiceLifecycle
import SocialGraph
import Timeline

/// The entry of this process among the servers of its graph: alone, or as one of several nodes.
struct NodeEntry {
    let membership: NodeMembership
    /// The lease of a server that is alone with a database on a server; nil otherwise.
    let lease: DatabaseLease?
    /// The state of the server before this one, whose work in progress is due again once it is dead.
    let formerOwner: FormerOwner
    /// True if other nodes may serve the graph, too.
    var isShared: Bool { membership.node.isShared }

    /// The services that keep the entry.
    var services: [any Service] { (lease.map { [$0] } ?? []) + [membership] }

    /// Makes sure that everything is in force that any node acknowledged before the call. Nil for a server that is
    /// alone.
    func confirm(_ timelines: TimelineService) -> ConfirmNode? {
        guard isShared else { return nil }
        return { [membership] isRead, page in
            do {
                // Not even asked: the database may be away, or one that is cut off.
                try membership.requireCurrent()
                let window = try await timelines.confirm(reading: page)
                // The process may have been stopped meanwhile, and have heard from a database that is no longer in use.
                try membership.requireCurrent()
                return .current(window)
            } catch {
                guard isRead, let age = membership.staleness else { throw error }
                return .stale(age)
            }
        }
    }

    /// Number of nodes that live.
    var nodes: @Sendable () -> Int {
        let (membership, isShared) = (membership, isShared)
        return { isShared ? membership.count : 1 }
    }
}

extension GraphServer {
    /// Enters this process among the servers of the graph.
    ///
    /// - Throws: ``CommandFailure`` if servers live that it cannot serve beside.
    func enter(_ directory: DataDirectory, _ graph: GraphStore) async throws -> NodeEntry {
        guard configuration.isShared, let server = directory.server else {
            return try await enterAlone(directory, graph)
        }
        let membership = try await membership(try directory.nodeID(), isShared: true, graph)
        do {
            try await refuseLoneServer(of: server, beside: membership.node, graph)
            try await joinSettings(of: membership.node, in: graph)
        } catch {
            try? await membership.leave()
            throw error
        }
        // Other nodes may be sending what this node's former process had in progress.
        return NodeEntry(membership: membership, lease: nil, formerOwner: .mayLive)
    }

    private func enterAlone(_ directory: DataDirectory, _ graph: GraphStore) async throws -> NodeEntry {
        let lease = try await databaseLease(directory, graph)
        let id = directory.server == nil ? ServingNode.ofFile : try directory.nodeID()
        let membership = try await membership(id, isShared: false, graph)
        try await storeSettings(in: graph)
        // The lock guarantees that no other process serves a database of this directory.
        return NodeEntry(membership: membership, lease: lease, formerOwner: lease?.formerOwner ?? .isDead)
    }

    private func membership(_ id: Int64, isShared: Bool, _ graph: GraphStore) async throws -> NodeMembership {
        try await NodeMembership.enter(
            id, name: "\(configuration.host):\(configuration.port)", isShared: isShared,
            staleReads: configuration.staleReads, in: graph, logger: logger)
    }

    /// A server that is alone has taken its lease before it looks for nodes, and a node has taken its own before it
    /// looks for that lease: one of the two finds the other.
    private func refuseLoneServer(
        of server: DatabaseServer, beside node: ServingNode, _ graph: GraphStore
    ) async throws {
        let leases = LeaseStore(database: graph.database)
        let held = try await leases.renewedLeases(length: LeaseTerms.serving.length) {
            let lease = try await leases.lease(DatabaseServer.leaseName)
            return [lease].compactMap(\.self).filter { $0.owner != node.id }
        }
        guard held.isEmpty else {
            throw CommandFailure(
                "A graphd with a Redis of its own serves the database \(server.address). Stop it, or give it the same "
                    + "outside Redis as this one (--redis).")
        }
    }
}
