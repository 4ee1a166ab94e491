import Algorithms
import Database
import SocialGraph

/// The writes of one transaction of an import.
struct FollowBatchWriting {
    private struct Row {
        /// Indices into ``users``.
        let follower: UInt32
        let followee: UInt32
        let position: Int64
    }

    /// Number of edges that are looked up at once.
    private static let edgesAtOnce = 1_024

    private let people: ImportedPeople
    private let transaction: any GraphTransaction
    /// All users of the batch, by ascending id. New users come last, because their ids are larger than all earlier
    /// ones.
    private let users: [Int64]
    private let follows: [Row]
    /// Increase of the follow counts of each of ``users``.
    private var following: [Int64]
    private var followers: [Int64]

    /// Throws ``GraphError/selfFollow``.
    init(batch: FollowBatch, people: ImportedPeople, in transaction: any GraphTransaction) throws {
        self.people = people
        self.transaction = transaction
        users = Set(people.ids.map(\.rawValue)).sorted()
        following = Array(repeating: 0, count: users.count)
        followers = following
        let places = Dictionary(uniqueKeysWithValues: zip(users, UInt32(0)...))
        follows = try Self.rows(
            batch.edges, users: users, places: people.ids.map { places[$0.rawValue] ?? 0 }, transaction)
    }

    /// Returns rows in the order of the primary key, so that neighbours in the tables are written together. A repeated
    /// edge keeps its first position.
    ///
    /// - Parameter places: indices into `users`, by number of the name.
    private static func rows(
        _ edges: [FollowBatch.Edge], users: [Int64], places: [UInt32], _ transaction: any GraphTransaction
    ) throws -> [Row] {
        let edges = edges.map { (follower: places[Int($0.follower)], followee: places[Int($0.followee)]) }
        guard edges.allSatisfy({ $0.follower != $0.followee }) else { throw GraphError.selfFollow }
        // Without any block, each edge saves two probes.
        let hasBlocks = try transaction.exists(BlockAndMuteStore.anyBlockProbe, [])
        var rows: [Row] = []
        rows.reserveCapacity(edges.count)
        for part in edges.chunks(ofCount: edgesAtOnce) {
            let areBlocked =
                try hasBlocks
                ? BlockAndMuteStore.Reader(transaction).areBlocked(
                    part.map { [$0.follower, $0.followee].map { UserID(rawValue: users[Int($0)]) } }) : []
            for (index, edge) in part.enumerated() where areBlocked.isEmpty || !areBlocked[index] {
                rows.append(Row(follower: edge.follower, followee: edge.followee, position: try transaction.nextID()))
            }
        }
        rows = ordered(ordered(rows, users.count) { $0.followee }, users.count) { $0.follower }
        var kept = 0
        for row in rows {
            if kept > 0, rows[kept - 1].follower == row.follower, rows[kept - 1].followee == row.followee { continue }
            rows[kept] = row
            kept += 1
        }
        rows.removeLast(rows.count - kept)
        return rows
    }

    /// Returns the result of one counting-sort pass; rows with equal keys keep their order.
    private static func ordered(_ rows: [Row], _ keys: Int, by key: (Row) -> UInt32) -> [Row] {
        var next = Array(repeating: 0, count: keys + 1)
        for row in rows { next[Int(key(row)) + 1] += 1 }
        for index in 1...keys { next[index] += next[index - 1] }
        var result = rows
        for row in rows {
            let place = Int(key(row))
            result[next[place]] = row
            next[place] += 1
        }
        return result
    }

    /// Writes the follows, their counts, and the resulting hub changes and evictions; returns the number of new
    /// follows.
    consuming func run(rebuildingOrderings rebuilds: Bool) throws -> Int {
        if rebuilds { for statement in FollowOrderings.removal { try transaction.execute(statement, []) } }
        try insert()
        if rebuilds { for statement in FollowOrderings.creation { try transaction.execute(statement, []) } }
        let newcomers = users.count - people.created.count
        try people.write(following: following[newcomers...], followers: followers[newcomers...], in: transaction)
        try count(upTo: newcomers)
        let gaining = users.indices.filter { followers[$0] > 0 }
        try HubStore.Writer(transaction).updateHubs(among: Set(gaining.map { UserID(rawValue: users[$0]) }))
        let viewers = users.indices.filter { following[$0] > 0 }.map { UserID(rawValue: users[$0]) }
        guard !viewers.isEmpty else { return 0 }
        try OutboxStore.Writer(transaction).enqueue(.evict(viewers: viewers))
        try transaction.record(.graphImported)
        return Int(following.reduce(0, +))
    }

    private mutating func insert() throws {
        try Self.insertion.write(follows, in: transaction) { row, values in
            values.append(.integer(users[Int(row.follower)]))
            values.append(.integer(users[Int(row.followee)]))
            values.append(.integer(row.position))
        } written: { rows, inserted in
            let areStored = try inserted == rows.count ? [] : self.areStored(rows)
            for (index, row) in rows.enumerated() where areStored.isEmpty || areStored[index] {
                following[Int(row.follower)] += 1
                followers[Int(row.followee)] += 1
            }
        }
    }

    private static let insertion = BulkInsert(
        into: "follow", ["follower_id", "followee_id", "position"],
        conflict: " ON CONFLICT (follower_id, followee_id) DO NOTHING")

    /// Returns for each of `rows` whether this batch wrote it: positions are unique.
    private func areStored(_ rows: ArraySlice<Row>) throws -> [Bool] {
        try transaction.exist(
            rows.map { row in
                SQLQuery(
                    "SELECT 1 FROM follow WHERE follower_id = ?1 AND followee_id = ?2 AND position = ?3",
                    [
                        .integer(users[Int(row.follower)]), .integer(users[Int(row.followee)]), .integer(row.position),
                    ])
            })
    }

    /// Updates the counts of existing users: statements without a result, which travel together.
    private func count(upTo newcomers: Int) throws {
        for place in 0..<newcomers {
            // Naming followers_count updates its index, so users without new followers skip it.
            switch (following[place], followers[place]) {
            case (0, 0): break
            case (let following, 0):
                try transaction.execute(
                    "UPDATE account SET following_count = following_count + ?2 WHERE id = ?1",
                    [.integer(users[place]), .integer(following)])
            case (let following, let followers):
                try transaction.execute(
                    """
                    UPDATE account SET following_count = following_count + ?2, followers_count = followers_count + ?3
                    WHERE id = ?1
                    """, [.integer(users[place]), .integer(following), .integer(followers)])
            }
        }
    }
}
