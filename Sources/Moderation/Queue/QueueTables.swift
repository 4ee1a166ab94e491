import Database

extension SchemaChange {
    /// The comments of the queue, by community; 0 is outside communities. A comment has no community of its own, so the
    /// queue of one would be searched for among all held comments of the site. Older programs do not write the rows;
    /// ``QueueStore/restoreComments()`` does so when the last of them has been replaced.
    package static let heldComments = SchemaChange(
        name: "0.2.0-held-comments",
        statements: """
            CREATE TABLE held_comment (
                comment_id INTEGER PRIMARY KEY REFERENCES comment (id) ON DELETE CASCADE,
                community_id INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX held_comment_by_community ON held_comment (community_id, comment_id);
            INSERT INTO held_comment (comment_id, community_id)
                SELECT h.id, COALESCE(p.community_id, 0) FROM comment h JOIN post p ON p.id = h.post_id
                WHERE h.held_at IS NOT NULL AND h.removed_at IS NULL AND h.taken_down_at IS NULL
                    AND h.deleted_at IS NULL;
            """, isAdditive: true)
}
