import Audit
import Database
import SocialGraph

/// Writes follows in bulk. Users are created as needed, a batch is one transaction, and importing the same edges again
/// changes nothing. No follow is written between two users if one has blocked the other. Counts and the eviction of
/// affected windows commit with the batch.
package struct FollowImporter: Sendable {
    package struct Summary: Sendable, Equatable {
        package var users = 0
        package var follows = 0

        package init(users: Int = 0, follows: Int = 0) {
            self.users = users
            self.follows = follows
        }
    }

    private let graph: GraphStore
    private let leastRebuild: Int
    private let beginning: AuditNote?
    private var ids: [String: UserID] = [:]
    package private(set) var total = Summary()

    /// - Parameter leastRebuild: follows of the smallest batch that rebuilds the orderings of follows, provided that it
    ///   also outgrows the table, and that the database is not shared.
    /// - Parameter beginning: an entry of the audit, for the first transaction that changes something.
    package init(graph: GraphStore, leastRebuild: Int = 50_000, beginning: AuditNote? = nil) {
        self.graph = graph
        self.leastRebuild = leastRebuild
        self.beginning = beginning
    }

    /// `edges`: usernames, follower first. Throws the errors of ``write(_:)-(FollowBatch)``.
    package mutating func write(_ edges: [(follower: String, followee: String)]) async throws {
        var batch = FollowBatch()
        for edge in edges { batch.append(follower: edge.follower, followee: edge.followee) }
        try await write(batch)
    }

    /// Writes a batch with positions ascending in its order. Throws ``GraphError/selfFollow``, also for names that
    /// differ only in case; then nothing of the batch is written.
    package mutating func write(_ batch: FollowBatch) async throws {
        guard !batch.isEmpty else { return }
        let known = ids
        let note = total == Summary() ? beginning : nil
        let mayRebuild = batch.count >= leastRebuild && !graph.database.isShared
        let outgrows = mayRebuild ? try await outgrowsTable(batch.count) : false
        let (people, written) = try await graph.database.writeBulk(outgrows: outgrows) { transaction in
            let people = try ImportedPeople(batch.names, known: known, in: transaction)
            let writing = try FollowBatchWriting(batch: batch, people: people, in: transaction)
            let follows = try writing.run(rebuildingOrderings: outgrows)
            if let note, follows > 0 || !people.created.isEmpty { try AuditStore.Writer(transaction).append(note) }
            return (people, follows)
        }
        for (name, id) in zip(batch.names, people.ids) { ids[name] = id }
        total.users += people.created.count
        total.follows += written
    }

    /// Returns true if fewer than `count` follows exist.
    private func outgrowsTable(_ count: Int) async throws -> Bool {
        try await graph.database.read { reader in
            let stored = try reader.first(Self.storedQuery, [.integer(Int64(count))]) { Int($0.integer(0)) }
            return stored ?? 0 < count
        }
    }

    static let storedQuery = "SELECT COUNT(*) FROM (SELECT 1 FROM follow LIMIT ?1) AS stored"
}
