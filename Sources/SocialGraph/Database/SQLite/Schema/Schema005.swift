import GRDB

/// Moderation. What is hidden, locked or ended stands in a column of what it concerns, where every read meets it; how
/// it came to be stands in the effects and the modlog. Each part stands in a file of its own.
enum Schema005 {
    static func migrate(_ database: Database) throws {
        try database.execute(sql: states + outbox + actions + cases + rules)
    }

    private static let states = """
        ALTER TABLE account ADD COLUMN site_role TEXT CHECK (site_role IN ('admin', 'moderator'));
        ALTER TABLE account ADD COLUMN silenced_at INTEGER;
        ALTER TABLE account ADD COLUMN suspended_at INTEGER;
        CREATE INDEX account_by_site_role ON account (site_role, id) WHERE site_role IS NOT NULL;
        CREATE INDEX account_suspended ON account (id) WHERE suspended_at IS NOT NULL;
        CREATE INDEX account_silenced ON account (id) WHERE silenced_at IS NOT NULL;
        ALTER TABLE post ADD COLUMN held_at INTEGER;
        ALTER TABLE post ADD COLUMN featured_at INTEGER;
        CREATE INDEX post_held ON post (id) WHERE held_at IS NOT NULL;
        CREATE INDEX post_featured ON post (community_id, featured_at, id) WHERE featured_at IS NOT NULL;
        ALTER TABLE comment ADD COLUMN removed_at INTEGER;
        ALTER TABLE comment ADD COLUMN taken_down_at INTEGER;
        ALTER TABLE comment ADD COLUMN held_at INTEGER;
        CREATE INDEX comment_held ON comment (id) WHERE held_at IS NOT NULL;
        ALTER TABLE community ADD COLUMN archived_at INTEGER;
        ALTER TABLE community_member ADD COLUMN promoted_at INTEGER;
        UPDATE community_member SET promoted_at = position WHERE role <> 'member';
        CREATE INDEX community_member_by_promotion ON community_member (community_id, role, promoted_at, user_id);

        """
}
