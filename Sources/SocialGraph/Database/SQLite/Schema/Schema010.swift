import GRDB

/// Scopes of moderation: whether the site or a community decided, who has had to do with a community, which posts were
/// written for members alone, and rules whose versions are kept for each scope.
enum Schema010 {
    static func migrate(_ database: Database) throws {
        try database.execute(sql: decisions + participants + posts + rules)
    }

    /// Entries by people who have or had a role of the site are taken for the site's, as are entries by graphd itself
    /// whose rule or classifier is gone: a community cannot end too much then.
    private static let decisions = """
        ALTER TABLE moderation_entry ADD COLUMN is_site INTEGER NOT NULL DEFAULT 0;
        DROP TRIGGER moderation_entry_no_update;
        UPDATE moderation_entry SET is_site = 1 WHERE actor_id IN (
            SELECT id FROM account WHERE site_role IS NOT NULL
            UNION SELECT subject_id FROM moderation_entry
            WHERE action = 'setSiteRole' AND json_extract(detail, '$.role') <> 'none');
        UPDATE moderation_entry SET is_site = 1 WHERE actor_id IS NULL AND action <> 'expire'
            AND NOT EXISTS (SELECT 1 FROM moderation_rule r WHERE r.community_id IS NOT NULL
                AND r.id = CAST(json_extract(detail, '$.rule') AS INTEGER))
            AND NOT EXISTS (SELECT 1 FROM classifier c WHERE c.community_id IS NOT NULL
                AND c.id = CAST(json_extract(detail, '$.classifier') AS INTEGER));
        UPDATE moderation_entry SET is_site = 1 WHERE action = 'expire'
            AND ends_entry IN (SELECT seq FROM moderation_entry WHERE is_site = 1);
        CREATE TRIGGER moderation_entry_no_update BEFORE UPDATE ON moderation_entry
            BEGIN SELECT RAISE(ABORT, 'the modlog is append-only'); END;
        ALTER TABLE moderation_effect ADD COLUMN is_site INTEGER NOT NULL DEFAULT 0;
        UPDATE moderation_effect SET is_site = 1 WHERE seq IN (SELECT seq FROM moderation_entry WHERE is_site = 1);
        UPDATE moderation_effect SET state = 'yield ' || substr(state, 16)
            WHERE facet = 'place' AND state LIKE 'role moderator %'
            AND seq IN (SELECT seq FROM moderation_entry WHERE action = 'transferCommunity');
        UPDATE appeal SET community_id = NULL WHERE seq IN (SELECT seq FROM moderation_entry WHERE is_site = 1);

        """

    /// Who has been a member of a community, or has commented there. Members are in it once they have left.
    private static let participants = """
        CREATE TABLE community_participant (
            user_id INTEGER NOT NULL REFERENCES account (id),
            community_id INTEGER NOT NULL REFERENCES community (id),
            PRIMARY KEY (user_id, community_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX community_participant_by_community ON community_participant (community_id);
        INSERT INTO community_participant (user_id, community_id)
            SELECT author_id, community_id FROM post WHERE community_id IS NOT NULL
            UNION SELECT a.author_id, p.community_id FROM author_post a JOIN post p ON p.id = a.post_id
            WHERE p.community_id IS NOT NULL
            UNION SELECT c.user_id, p.community_id FROM comment c JOIN post p ON p.id = c.post_id
            WHERE p.community_id IS NOT NULL
            UNION SELECT e.user_id, e.community_id FROM moderation_entry e JOIN account a ON a.id = e.user_id
            WHERE e.community_id IS NOT NULL AND e.action IN (
                'banMember', 'unbanMember', 'setMemberRole', 'approveRequest', 'declineRequest');

        """

    private static let posts = """
        ALTER TABLE post ADD COLUMN members_only INTEGER NOT NULL DEFAULT 0;
        UPDATE post SET members_only = 1
            WHERE community_id IN (SELECT id FROM community WHERE is_private = 1);

        """

    /// The scope of a question is the community of its classifier, 0: the site.
    private static let rules = """
        ALTER TABLE classification ADD COLUMN scope_id INTEGER NOT NULL DEFAULT 0;
        UPDATE classification SET scope_id = COALESCE(
            (SELECT community_id FROM classifier c WHERE c.id = classification.classifier_id), 0);
        CREATE INDEX classification_by_scope ON classification (scope_id, next_at, id);
        INSERT INTO setting (name, value)
            SELECT 'rules_version:' || s.community_id, v.value
            FROM (SELECT community_id FROM moderation_rule WHERE community_id IS NOT NULL
                UNION SELECT community_id FROM classifier WHERE community_id IS NOT NULL) s
            JOIN setting v ON v.name = 'rules_version';
        """
}
