import Database

/// Discovery as the graph calls it: what it keeps of posts and people goes with them.
package protocol GraphDiscovery: Sendable {
    /// Texts of the video of `post`, as rules judge them.
    func videoTexts(of post: PostID, _ reader: any SQLReader) throws -> [String]

    /// Removes what the authors of a deleted post have said of it.
    func delete(_ post: PostID, _ transaction: any GraphTransaction) throws

    /// Removes up to `limit` rows of each kind that others have left on a deleted post; returns the most of one kind.
    func purge(_ post: PostID, limit: Int, _ transaction: any GraphTransaction) throws -> Int

    /// Removes up to about `limit` rows of a deleted account; false: nothing is left.
    func erase(_ user: UserID, limit: Int, _ transaction: any GraphTransaction) throws -> Bool

    /// Forgets what is kept for a time that has passed.
    func prune(_ transaction: any GraphTransaction) throws
}
