import Database
import SocialGraph

/// Writes the comments of the queue, which has a table of them by community.
extension FacetStore.Writer {
    /// Adds a comment to the queue if it is held, and neither removed, taken down nor deleted; otherwise removes it.
    /// Called after every change of these states.
    func updateQueue(_ comment: CommentID) throws {
        try removeFromQueue(comment)
        try transaction.execute(Self.addToQueueStatement, [.comment(comment)])
    }

    /// Removes a deleted comment from the queue. The deletion of its row does so too.
    func removeFromQueue(_ comment: CommentID) throws {
        try transaction.execute("DELETE FROM held_comment WHERE comment_id = ?1", [.comment(comment)])
    }

    static let addToQueueStatement = """
        INSERT INTO held_comment (comment_id, community_id)
        SELECT h.id, COALESCE(p.community_id, 0) FROM comment h JOIN post p ON p.id = h.post_id
        WHERE h.id = ?1 AND h.held_at IS NOT NULL AND h.removed_at IS NULL AND h.taken_down_at IS NULL
            AND h.deleted_at IS NULL
        """
}
