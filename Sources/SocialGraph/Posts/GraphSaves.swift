import Database

/// The module of saved posts as the graph calls it.
package protocol GraphSaves: Sendable {
    /// Removes up to `limit` saves of a deleted post; returns their number.
    func purge(_ post: PostID, limit: Int, _ transaction: any GraphTransaction) throws -> Int

    /// Removes a collection and up to `limit` saves of a deleted account; false: nothing is left.
    func erase(_ user: UserID, limit: Int, _ transaction: any GraphTransaction) throws -> Bool
}
