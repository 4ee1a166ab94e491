import Database

/// The discovery module as the graph calls it: its rows about posts and people are removed with them.
package protocol GraphDiscovery: Sendable {
    /// Texts of the video of `post`, for rules to judge.
    func videoTexts(of post: PostID, _ reader: any SQLReader) throws -> [String]

    /// Removes what the authors of a deleted post have said about it.
    func delete(_ post: PostID, _ transaction: any GraphTransaction) throws

    /// Removes up to `limit` rows of each kind that others have left on a deleted post; returns the largest number
    /// removed of one kind.
    func purge(_ post: PostID, limit: Int, _ transaction: any GraphTransaction) throws -> Int

    /// Removes up to about `limit` rows of a deleted account; false: nothing is left.
    func erase(_ user: UserID, limit: Int, _ transaction: any GraphTransaction) throws -> Bool

    /// Removes rows past their retention.
    func prune(_ transaction: any GraphTransaction) throws
}
