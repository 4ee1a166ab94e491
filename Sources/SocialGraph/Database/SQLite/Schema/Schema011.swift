/// Posts with one number, or one flag, among their attributes are listed newest first. The posts of an account are
/// counted without those that moderators hide.
enum Schema011 {
    static let sql = """
        DROP INDEX post_attribute_by_number;
        CREATE INDEX post_attribute_by_number ON post_attribute (name, kind, number_value, post_id)
            WHERE number_value IS NOT NULL;

        UPDATE account SET posts_count = (SELECT COUNT(*) FROM author_post ap JOIN post p ON p.id = ap.post_id
                WHERE ap.author_id = account.id
                    AND p.held_at IS NULL AND p.removed_at IS NULL AND p.taken_down_at IS NULL)
            WHERE id IN (SELECT ap.author_id FROM post p JOIN author_post ap ON ap.post_id = p.id
                WHERE p.held_at IS NOT NULL OR p.removed_at IS NOT NULL OR p.taken_down_at IS NOT NULL);

        """
}
