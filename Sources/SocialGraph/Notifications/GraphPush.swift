import Database

/// Push as the graph calls it: it tells users, away from the app, of what they are notified of.
package protocol GraphPush: Sendable {
    /// The queries for the ways on which a push may reach `user`, the same number for everybody: one that finds a row
    /// says that it does. Whoever notifies sends them with queries of its own, in one round trip.
    func reachQueries(_ user: UserID) -> [SQLQuery]

    /// Has users told of the groups of notifications that something has joined, on the ways that reach them.
    func arm(
        _ kind: NotificationKind, for reached: [ReachedGroup], post: PostID?, _ transaction: any GraphTransaction
    ) throws

    /// Has a new post told to those whose preferences it matches.
    func enqueueMatch(of post: PostID, _ transaction: any GraphTransaction) throws

    /// Forgets where a user can be reached whose account is being deleted.
    func silence(_ user: UserID, _ transaction: any GraphTransaction) throws

    /// Removes up to about `limit` rows of a deleted account: what waits to be told or sent; false: nothing is left.
    func erase(_ user: UserID, limit: Int, _ transaction: any GraphTransaction) throws -> Bool
}

/// A group of notifications that something has joined, and the ways on which a push reaches its user.
package struct ReachedGroup: Sendable {
    package let user: UserID
    package let id: Int64
    /// Places among ``GraphPush/reachQueries(_:)``.
    package let ways: [Int]
}

extension GraphTransaction {
    /// Has a new post told to those whose preferences it matches.
    package func enqueueMatch(of post: PostID) throws { try graphHooks?.push.enqueueMatch(of: post, self) }
}
