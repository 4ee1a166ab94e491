/// A node that serves the graph: one graphd, with a data directory of its own.
package struct ServingNode: Sendable, Equatable {
    /// The number of the only node of a graph in a file.
    package static let ofFile: Int64 = 1
    /// The first part of the names of the leases that are the heartbeats of nodes.
    package static let leasePrefix = "node."

    package let id: Int64
    /// Host and port.
    package let name: String
    package let version: String
    /// True if others may serve beside it.
    package let isShared: Bool
    /// Milliseconds since 1970.
    package let startedAt: Int64
    /// The last time that it started or stopped, in milliseconds since 1970.
    package let seenAt: Int64

    /// The name of the lease that is its heartbeat.
    package var lease: String { Self.lease(of: id) }

    package static func lease(of id: Int64) -> String { leasePrefix + String(id) }
}

/// A node and its leases, as they stand in the database.
package struct NodeRecord: Sendable, Equatable {
    package enum State: String, Sendable {
        /// Its latest heartbeat is in force.
        case serving
        /// It has not renewed its heartbeat in time.
        case silent
        /// It has stopped, or has been silent for long.
        case gone
    }

    /// Milliseconds of silence after which a node counts as gone.
    static let silence = Milliseconds.minute

    package let node: ServingNode
    /// The lease that is its heartbeat; nil: it has none.
    package let heartbeat: Lease?
    /// Names of its other leases, in order.
    package let duties: [String]

    /// The time of the latest heartbeat by the node's clock, in milliseconds since 1970.
    package var lastHeartbeat: Int64 {
        guard let heartbeat, !heartbeat.isReleased else { return node.seenAt }
        return max(node.seenAt, heartbeat.endsAt - LeaseTerms.heartbeat(isShared: node.isShared).length)
    }

    /// - Parameter now: milliseconds since 1970.
    package func state(at now: Int64) -> State {
        guard let heartbeat, !heartbeat.isReleased else { return .gone }
        if now < heartbeat.endsAt { return .serving }
        return now - heartbeat.endsAt < Self.silence ? .silent : .gone
    }
}

extension LeaseTerms {
    /// The terms of the heartbeat of a node. Nobody takes over from one that is alone, so its heartbeat is slower.
    package static func heartbeat(isShared: Bool) -> LeaseTerms { isShared ? .node : .serving }
}
