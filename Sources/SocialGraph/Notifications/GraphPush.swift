import Database

/// The push module as the graph calls it: it sends notifications to users away from the app.
package protocol GraphPush: Sendable {
    /// Queries for the ways on which a push may reach `user`, the same number for every user: a query that finds a row
    /// means that its way reaches. The caller sends them with its own queries, in one round trip.
    func reachQueries(_ user: UserID) -> [SQLQuery]

    /// Schedules pushes for groups of notifications that an act has joined, on the ways that reach their users.
    func arm(
        _ kind: NotificationKind, for reached: [ReachedGroup], post: PostID?, _ transaction: any GraphTransaction
    ) throws

    /// A query with one row, which ``enqueueMatch(of:_:)`` asks.
    var matchProbe: SQLQuery { get }

    /// Schedules the notification of users whose preferences match a new post.
    func enqueueMatch(of post: PostID, _ transaction: any GraphTransaction) throws

    /// Removes the addresses at which a user can be reached whose account is being deleted.
    func silence(_ user: UserID, _ transaction: any GraphTransaction) throws

    /// Removes up to about `limit` waiting pushes of a deleted account; false: nothing is left.
    func erase(_ user: UserID, limit: Int, _ transaction: any GraphTransaction) throws -> Bool
}

/// A group of notifications that an act has joined, and the ways on which a push reaches its user.
package struct ReachedGroup: Sendable {
    package let user: UserID
    package let id: Int64
    /// Indices into ``GraphPush/reachQueries(_:)``.
    package let ways: [Int]
}

extension GraphTransaction {
    /// Schedules the notification of users whose preferences match a new post.
    package func enqueueMatch(of post: PostID) throws { try graphHooks?.push.enqueueMatch(of: post, self) }
}
