import Database
import Logging
import ServiceLifecycle
import SocialGraph
import Synchronization

/// The membership of this process among the nodes that serve a graph: its heartbeat, and the nodes beside it.
///
/// The heartbeat is a lease, renewed each second. A node whose heartbeat has not committed for too long cannot know
/// whether others still see it, or whether it sees their writes, and so is not current.
package final class NodeMembership: Service {
    /// Time between two attempts to commit a heartbeat that failed.
    private static let retryInterval = Duration.milliseconds(250)
    /// Number of heartbeats after which nodes that are gone for long are forgotten.
    private static let pruningInterval = 3_600

    package let node: ServingNode
    private let nodes: NodeStore
    private let lease: HeldLease
    private let neighbours: Mutex<Neighbours>
    private let newName = Mutex<String?>(nil)
    private let logger: Logger
    private let boot: @Sendable () -> Int64
    /// The greatest age of what a node without the primary shows; nil: it shows nothing then.
    private let staleReads: Duration?

    private init(
        _ node: ServingNode, _ nodes: NodeStore, _ lease: HeldLease, _ logger: Logger,
        _ boot: @escaping @Sendable () -> Int64, _ staleReads: Duration?
    ) {
        self.staleReads = staleReads
        self.node = node
        self.nodes = nodes
        self.lease = lease
        neighbours = Mutex(Neighbours(of: node.id))
        self.logger = logger
        self.boot = boot
    }

    /// Enters a node whose data directory this process has locked: its former process has ended.
    ///
    /// - Parameters:
    ///   - name: host and port.
    ///   - isShared: true if others may serve beside it.
    ///   - staleReads: the greatest age of what a node without the primary shows; nil: it shows nothing then.
    package static func enter(
        _ id: Int64, name: String, isShared: Bool, staleReads: Duration? = nil, in graph: GraphStore, logger: Logger,
        boot: @escaping @Sendable () -> Int64 = BootClock.milliseconds
    ) async throws -> NodeMembership {
        let nodes = NodeStore(database: graph.database)
        let lease = try await LeaseStore(database: graph.database).take(
            ServingNode.lease(of: id), for: id, from: .isDead, terms: .heartbeat(isShared: isShared), boot: boot)
        let node = try await nodes.enter(id, name: name, version: BuildInfo.version, isShared: isShared)
        let membership = NodeMembership(node, nodes, lease, logger, boot, staleReads)
        try await membership.look()
        return membership
    }

    /// True while the last committed heartbeat is young enough.
    package var isCurrent: Bool { lease.isHeld }

    /// Time since the last heartbeat, while the node is not current and answers reads nevertheless; nil otherwise.
    package var staleness: Duration? {
        guard !isCurrent, let staleReads, let age = lease.sinceRenewal, age < staleReads else { return nil }
        return age
    }

    /// The other nodes that live, as of the last heartbeat.
    package var others: [ServingNode] { neighbours.withLock { $0.living } }

    /// The names of the leases of each of the other nodes that live, as of the last heartbeat.
    package var dutiesOfOthers: [[String]] { neighbours.withLock { $0.duties } }

    /// Number of nodes that live, this one included.
    package var count: Int { others.count + 1 }

    /// - Throws: `Problem` 503 `not_current`.
    package func requireCurrent() throws { if !isCurrent { throw Problem.notCurrent } }

    /// Renews the heartbeat until the server stops, and gives it up then.
    ///
    /// - Throws: `LeaseLost` if another process uses the node's number, or a newer graphd has changed the tables.
    package func run() async throws {
        try await cancelWhenGracefulShutdown { try await self.beat() }
        do {
            try await leave()
        } catch {
            logger.warning("the node cannot give up its heartbeat", metadata: [LogKeys.error: "\(error)"])
        }
    }

    /// Gives up the heartbeat.
    package func leave() async throws {
        try await lease.release()
        try await nodes.leave(node.id)
    }

    /// Notes the host and port on which the node has come to listen, to be written with the next heartbeat.
    package func listens(at name: String) { if name != node.name { newName.withLock { $0 = name } } }

    private func beat() async throws {
        var count = 0
        while !Task.isCancelled {
            try? await Task.sleep(for: max(lease.untilRenewal, .milliseconds(1)))
            if Task.isCancelled { return }
            do {
                try await step()
                count += 1
                if count.isMultiple(of: Self.pruningInterval) {
                    try await nodes.prune(sparing: Set((others + [node]).map(\.id)))
                }
            } catch let error as LeaseLost {
                logger.critical("the heartbeat of this node has ended", metadata: [LogKeys.error: "\(error)"])
                throw error
            } catch {
                logger.error(
                    "no heartbeat can be committed; will retry",
                    metadata: [LogKeys.error: "\(error)", "current": "\(isCurrent)"])
                try? await Task.sleep(for: Self.retryInterval)
            }
        }
    }

    /// Commits a heartbeat, and looks at the other nodes.
    func step() async throws {
        let wasCurrent = isCurrent
        try await lease.renew()
        if !wasCurrent { logger.notice("this node is current again") }
        if let name = newName.withLock({ $0 }) {
            try await nodes.rename(node.id, to: name)
            newName.withLock { $0 = nil }
        }
        try await look()
    }

    private func look() async throws {
        let records = try await nodes.records()
        let now = boot()
        let (came, went) = neighbours.withLock { $0.update(records, at: now) }
        for node in came { report("a node has joined", node) }
        for node in went { report("a node has left", node) }
    }

    private func report(_ message: Logger.Message, _ node: ServingNode) {
        logger.notice(message, metadata: ["node": "\(node.id)", "address": "\(node.name)"])
    }
}
