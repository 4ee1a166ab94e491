/// Writes follows in bulk: users are created as needed, a batch is one transaction, and a second import of the same
/// edges changes nothing. Between two of whom one has blocked the other nothing is written. Counts and the drop of
/// touched windows commit with the batch.
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
            var batch = try Batch(transaction: transaction, known: known)
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
    private struct Edge {
        let follower: Int64
        let followee: Int64
        let position: Int64
    }

    /// Rows of one statement. What a statement costs is paid once for all of them.
    private static let rowsPerStatement = 256

    let transaction: any GraphTransaction
    let known: [String: UserID]
    var found: [String: UserID] = [:]
    var summary = FollowImporter.Summary()
    private var edges: [Edge] = []
    /// Whether anybody has blocked anybody: an import into a new graph is spared two probes an edge.
    private let hasBlocks: Bool
    private var gainedFollowing: [UserID: Int64] = [:]
    private var gainedFollowers: [UserID: Int64] = [:]

    init(transaction: any GraphTransaction, known: [String: UserID]) throws {
        self.transaction = transaction
        self.known = known
        hasBlocks = try transaction.exists(GraphStore.anyBlockProbe, [])
    }

    /// Positions ascend in the order of the calls; rows are written by ``finish()``.
    mutating func insert(_ followerName: String, _ followeeName: String) throws {
        let follower = try user(followerName)
        let followee = try user(followeeName)
        guard follower != followee else { throw GraphError.selfFollow }
        if hasBlocks, try GraphStore.isBlocked(follower, followee, transaction) { return }
        edges.append(
            Edge(follower: follower.rawValue, followee: followee.rawValue, position: try transaction.nextID()))
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

    mutating func finish() throws {
        // In the order of the primary key, so that neighbours in the tables are written together. Of an edge that
        // comes twice the first position is kept.
        edges.sort { ($0.follower, $0.followee, $0.position) < ($1.follower, $1.followee, $1.position) }
        let whole = edges.count - edges.count % Self.rowsPerStatement
        for start in stride(from: 0, to: whole, by: Self.rowsPerStatement) {
            try write(edges[start..<start + Self.rowsPerStatement], Self.fullStatement)
        }
        for index in whole..<edges.count { try write(edges[index...index], Self.singleStatement) }
        try count()
        for user in gainedFollowers.keys.sorted() { try GraphStore.settleHub(user, in: transaction) }
        guard !gainedFollowing.isEmpty else { return }
        try GraphStore.enqueue(.drop(viewers: Array(gainedFollowing.keys)), in: transaction)
        try transaction.record(GraphChange(.graphImported, subject: 0, object: 0))
    }

    private func count() throws {
        for user in Set(gainedFollowing.keys).union(gainedFollowers.keys).sorted() {
            // Naming followers_count costs a change of its index, so those who gained none are spared it.
            switch (gainedFollowing[user], gainedFollowers[user]) {
            case (let following, let followers?):
                try transaction.execute(
                    """
                    UPDATE account SET following_count = following_count + ?2, followers_count = followers_count + ?3
                    WHERE id = ?1
                    """, [.user(user), .integer(following ?? 0), .integer(followers)])
            case (let following, nil):
                try transaction.execute(
                    "UPDATE account SET following_count = following_count + ?2 WHERE id = ?1",
                    [.user(user), .integer(following ?? 0)])
            }
        }
    }

    private mutating func write(_ rows: ArraySlice<Edge>, _ sql: String) throws {
        var arguments: [SQLValue] = []
        arguments.reserveCapacity(rows.count * 3)
        for edge in rows {
            arguments.append(.integer(edge.follower))
            arguments.append(.integer(edge.followee))
            arguments.append(.integer(edge.position))
        }
        let inserted = try transaction.execute(sql, arguments)
        for edge in rows where try inserted == rows.count || isStored(edge) {
            summary.follows += 1
            gainedFollowing[UserID(rawValue: edge.follower), default: 0] += 1
            gainedFollowers[UserID(rawValue: edge.followee), default: 0] += 1
        }
    }

    /// Positions are unique: a row with this one was written by this batch.
    private func isStored(_ edge: Edge) throws -> Bool {
        try transaction.exists(
            "SELECT 1 FROM follow WHERE follower_id = ?1 AND followee_id = ?2 AND position = ?3",
            [.integer(edge.follower), .integer(edge.followee), .integer(edge.position)])
    }

    private static let fullStatement = statement(rows: rowsPerStatement)
    private static let singleStatement = statement(rows: 1)

    private static func statement(rows: Int) -> String {
        let values = (0..<rows).map { "(?\($0 * 3 + 1), ?\($0 * 3 + 2), ?\($0 * 3 + 3))" }
        return """
            INSERT INTO follow (follower_id, followee_id, position) VALUES \(values.joined(separator: ", "))
            ON CONFLICT (follower_id, followee_id) DO NOTHING
            """
    }
}
