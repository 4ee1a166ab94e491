import Database

/// The module of idempotency keys as the graph calls it.
package protocol GraphIdempotency: Sendable {
    /// Removes up to `limit` answered requests past their time; false: nothing is left.
    func prune(limit: Int, _ transaction: any GraphTransaction) throws -> Bool

    /// Removes up to `limit` answered requests of a deleted account; false: nothing is left.
    func erase(_ user: UserID, limit: Int, _ transaction: any GraphTransaction) throws -> Bool
}
