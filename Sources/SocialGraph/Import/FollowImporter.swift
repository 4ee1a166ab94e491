/// Writes follows in bulk: users are created as needed, a batch is one transaction, and a second import of the same edges changes
/// nothing. Counts and the drop of touched windows commit with the batch.
package struct FollowImporter: Sendable {
    package struct Summary: Sendable, Equatable {
        package var users = 0
        package var follows = 0
    }

    private let graph: GraphStore
    private var ids: [String: UserID] = [:]
    package private(set) var total = Summary()

    package init(graph: GraphStore) { self.graph = graph }

    /// `edges`: usernames, follower first. Throws ``GraphError/selfFollow``, also of
    /// names that differ in case only; nothing of the batch is written then.
    package mutating func write(_ edges: [(follower: String, followee: String)]) async throws {
        guard !edges.isEmpty else { return }
        let known = ids
        let (batch, found) = try await graph.database.write { transaction in
            var batch = Batch(transaction: transaction, known: known)
            for edge in edges { try batch.insert(edge.follower, edge.followee) }
            try batch.finish()
            return (batch.summary, batch.found)
        }
        ids.merge(found) { current, _ in current }
        total.users += batch.users
        total.follows += batch.follows
    }
}

/// The work of one transaction.
private struct Batch {
    let transaction: any GraphTransaction
    let known: [String: UserID]
    var found: [String: UserID] = [:]
    var summary = FollowImporter.Summary()
    private var gainedFollowing: [UserID: Int64] = [:]
    private var gainedFollowers: [UserID: Int64] = [:]

    init(transaction: any GraphTransaction, known: [String: UserID]) {
        self.transaction = transaction
        self.known = known
    }

    mutating func insert(_ followerName: String, _ followeeName: String) throws {
        let follower = try user(followerName)
        let followee = try user(followeeName)
        guard follower != followee else { throw GraphError.selfFollow }
        let inserted = try transaction.execute(
            """
            INSERT INTO follow (follower_id, followee_id, position) VALUES (?1, ?2, ?3)
            ON CONFLICT (follower_id, followee_id) DO NOTHING
            """,
            [.user(follower), .user(followee), .integer(try transaction.nextID())])
        guard inserted > 0 else { return }
        summary.follows += 1
        gainedFollowing[follower, default: 0] += 1
        gainedFollowers[followee, default: 0] += 1
    }

    private mutating func user(_ name: String) throws -> UserID {
        if let id = known[name] ?? found[name] { return id }
        let existing = try transaction.first(
            "SELECT id FROM account WHERE username_key = ?1", [.text(NameFolding.key(name))]
        ) { UserID(rawValue: $0.integer(0)) }
        if let existing {
            found[name] = existing
            return existing
        }
        let account = try GraphStore.createAccount(username: name, email: nil, passwordHash: nil, in: transaction)
        summary.users += 1
        found[name] = account.id
        return account.id
    }

    func finish() throws {
        for (user, count) in gainedFollowing {
            try transaction.execute(
                "UPDATE account SET following_count = following_count + ?2 WHERE id = ?1", [.user(user), .integer(count)])
        }
        for (user, count) in gainedFollowers {
            try transaction.execute(
                "UPDATE account SET followers_count = followers_count + ?2 WHERE id = ?1", [.user(user), .integer(count)])
        }
        guard !gainedFollowing.isEmpty else { return }
        try GraphStore.enqueue(.drop(viewers: Array(gainedFollowing.keys)), in: transaction)
        try transaction.record(GraphChange(.graphImported, subject: 0, object: 0))
    }
}
