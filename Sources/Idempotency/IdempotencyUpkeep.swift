import Database
import SocialGraph

/// The graph's interface to idempotency keys.
package struct IdempotencyUpkeep: GraphIdempotency {
    package init() {}

    package func prune(limit: Int, _ transaction: any GraphTransaction) throws -> Bool {
        try IdempotencyStore.Writer(transaction).prune(limit: limit)
    }

    package func erase(_ user: UserID, limit: Int, _ transaction: any GraphTransaction) throws -> Bool {
        try IdempotencyStore.Writer(transaction).erase(user, limit: limit)
    }
}
