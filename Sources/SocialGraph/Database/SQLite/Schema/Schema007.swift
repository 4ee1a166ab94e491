/// Rankings and trends count people, not acts: each user once for each post and kind of engagement, at the hour of the
/// first act that stands. What a post shows of comments leaves out those that moderators hide.
enum Schema007 {
    static let sql = """
        CREATE INDEX comment_by_person ON comment (post_id, user_id, id)
            WHERE deleted_at IS NULL AND held_at IS NULL AND removed_at IS NULL AND taken_down_at IS NULL;
        CREATE INDEX external_share_by_person ON external_share (post_id, user_id, id);

        UPDATE post SET comments_count = (SELECT COUNT(*) FROM comment c WHERE c.post_id = post.id
                AND c.deleted_at IS NULL AND c.held_at IS NULL AND c.removed_at IS NULL AND c.taken_down_at IS NULL)
            WHERE comments_count > 0 AND deleted_at IS NULL;
        UPDATE comment SET replies_count = (SELECT COUNT(*) FROM comment c WHERE c.parent_id = comment.id
                AND c.deleted_at IS NULL AND c.held_at IS NULL AND c.removed_at IS NULL AND c.taken_down_at IS NULL)
            WHERE replies_count > 0;

        ALTER TABLE post ADD COLUMN commenters_count INTEGER NOT NULL DEFAULT 0 CHECK (commenters_count >= 0);
        ALTER TABLE post ADD COLUMN sharers_count INTEGER NOT NULL DEFAULT 0 CHECK (sharers_count >= 0);
        UPDATE post SET commenters_count = (SELECT COUNT(DISTINCT c.user_id) FROM comment c WHERE c.post_id = post.id
                AND c.deleted_at IS NULL AND c.held_at IS NULL AND c.removed_at IS NULL AND c.taken_down_at IS NULL)
            WHERE comments_count > 0 AND deleted_at IS NULL;
        UPDATE post SET sharers_count = (SELECT COUNT(*) FROM (
                SELECT r.user_id FROM reshare r WHERE r.post_id = post.id
                UNION SELECT s.user_id FROM external_share s WHERE s.post_id = post.id))
            WHERE shares_count > 0 AND deleted_at IS NULL;
        DROP INDEX post_by_popularity;
        CREATE INDEX post_by_popularity ON post ((likes_count + 2 * commenters_count + 3 * sharers_count), id)
            WHERE deleted_at IS NULL;

        UPDATE engagement_hour SET comments = 0, shares = 0;
        INSERT INTO engagement_hour (hour, post_id, comments)
            SELECT ((first >> 12) + 1735689600000) / 3600000, post_id, COUNT(*) FROM (
                SELECT MIN(id) AS first, post_id FROM comment
                WHERE deleted_at IS NULL AND held_at IS NULL AND removed_at IS NULL AND taken_down_at IS NULL
                GROUP BY post_id, user_id)
            WHERE true GROUP BY 1, 2
            ON CONFLICT (hour, post_id) DO UPDATE SET comments = excluded.comments;
        INSERT INTO engagement_hour (hour, post_id, shares)
            SELECT ((first >> 12) + 1735689600000) / 3600000, post_id, COUNT(*) FROM (
                SELECT MIN(id) AS first, post_id FROM (
                    SELECT id, post_id, user_id FROM reshare UNION ALL SELECT id, post_id, user_id FROM external_share)
                GROUP BY post_id, user_id)
            WHERE true GROUP BY 1, 2
            ON CONFLICT (hour, post_id) DO UPDATE SET shares = excluded.shares;

        """
}
