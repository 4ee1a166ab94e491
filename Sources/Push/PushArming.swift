import Database
import SocialGraph

/// The graph's interface to pushes.
package struct PushArming: GraphPush {
    package init() {}

    /// Returns one query for each channel, in the order of ``PushChannel``.
    package func reachQueries(_ user: UserID) -> [SQLQuery] {
        PushChannel.allCases.map { SQLQuery(PushEventStore.Writer.reachProbe($0), [.user(user)]) }
    }

    package func arm(
        _ kind: NotificationKind, for reached: [ReachedGroup], post: PostID?, _ transaction: any GraphTransaction
    ) throws {
        let targets = reached.flatMap { group in
            group.ways.map {
                PushEventStore.Target(
                    user: group.user, channel: PushChannel.allCases[$0], kind: PushKind(kind), subject: group.id)
            }
        }
        try PushEventStore.Writer(transaction).arm(targets, post: post)
    }

    package var matchProbe: SQLQuery { PushEventStore.Writer.matchProbe }

    package func enqueueMatch(of post: PostID, _ transaction: any GraphTransaction) throws {
        try PushEventStore.Writer(transaction).enqueueMatch(of: post)
    }

    package func silence(_ user: UserID, _ transaction: any GraphTransaction) throws {
        try PushErasure(transaction: transaction).silence(user)
    }

    package func erase(_ user: UserID, limit: Int, _ transaction: any GraphTransaction) throws -> Bool {
        try PushErasure(transaction: transaction).erase(user, limit: limit)
    }
}
