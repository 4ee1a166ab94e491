import CommandSupport
import Database
import Logging
import ServiceLifecycle
import SocialGraph
import Timeline

/// The right to serve a database that other machines reach, too. One server has it at a time.
struct DatabaseLease: Service {
    /// Tells whether the server that had the database before may still run.
    let formerOwner: FormerOwner
    private let keeper: LeaseKeeper

    /// Takes the lease. The same data directory has it at once, since its lock shows that nobody else serves it; others
    /// wait until the former server has not renewed the lease for its whole length.
    ///
    /// - Throws: ``CommandFailure`` if another server goes on renewing it, or nodes that share the database live.
    static func take(
        _ server: DatabaseServer, for directory: DataDirectory, _ graph: GraphStore, _ logger: Logger
    ) async throws -> DatabaseLease {
        let (node, leases) = (try directory.nodeID(), LeaseStore(database: graph.database))
        let last = try await leases.lease(DatabaseServer.leaseName)
        let former = last?.owner == node ? FormerOwner.isDead : .mayLive
        do {
            let lease = try await leases.take(DatabaseServer.leaseName, for: node, from: former)
            let others = try await NodeStore(database: graph.database).livingShared(except: node)
            guard others.isEmpty else {
                try await lease.release()
                throw CommandFailure(
                    "Nodes that share the database \(server.address) serve it: \(others.names). Give this server their "
                        + "Redis (--redis), so that it joins them, or stop them first.")
            }
            return DatabaseLease(formerOwner: former, keeper: LeaseKeeper(lease: lease, logger: logger))
        } catch is LeaseHeld {
            throw CommandFailure(
                "Another graphd, with another data directory, serves the database \(server.address). Stop it first, or "
                    + "name another database.")
        }
    }

    /// Renews the lease until the server stops, and releases it then.
    ///
    /// - Throws: `LeaseLost`.
    func run() async throws {
        try await cancelWhenGracefulShutdown { try await keeper.run() }
        await keeper.release()
    }
}

extension [ServingNode] {
    /// The names in a sentence.
    var names: String { map(\.name).joined(separator: ", ") }
}
