import GRDB

/// Everything else that decides what a feed contains: visibility, blocks and mutes, reshares, topics, communities,
/// hubs; what a fan-out has delivered; and an outbox whose jobs say which act of whom they carry out.
///
/// A reshare has an id of the common sequence, which is its position in timelines. `topic_post` and `topic_reshare` are
/// the feeds of a category or tag: the posts in it, and the reshares of such posts.
enum Schema002 {
    static func migrate(_ database: Database) throws {
        try database.execute(sql: relations)
        try database.execute(sql: posts)
        try database.execute(sql: communities)
        try database.execute(sql: fanout)
        try fillTopics(database)
    }

    private static let relations = """
        CREATE TABLE block (
            blocker_id INTEGER NOT NULL REFERENCES account (id),
            blocked_id INTEGER NOT NULL REFERENCES account (id),
            position INTEGER NOT NULL,
            PRIMARY KEY (blocker_id, blocked_id),
            CHECK (blocker_id <> blocked_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX block_by_position ON block (blocker_id, position, blocked_id);
        CREATE INDEX block_by_blocked ON block (blocked_id, blocker_id);

        CREATE TABLE mute (
            muter_id INTEGER NOT NULL REFERENCES account (id),
            muted_id INTEGER NOT NULL REFERENCES account (id),
            position INTEGER NOT NULL,
            posts INTEGER NOT NULL,
            reshares INTEGER NOT NULL,
            notifications INTEGER NOT NULL,
            PRIMARY KEY (muter_id, muted_id),
            CHECK (muter_id <> muted_id),
            CHECK (posts + reshares + notifications > 0)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX mute_by_position ON mute (muter_id, position, muted_id);
        CREATE INDEX mute_of_reshares ON mute (muted_id, muter_id) WHERE reshares = 1;

        CREATE TABLE selected_algorithm (
            user_id INTEGER NOT NULL REFERENCES account (id),
            ordinal INTEGER NOT NULL,
            tag TEXT NOT NULL,
            tag_key TEXT NOT NULL,
            PRIMARY KEY (user_id, ordinal)
        ) STRICT, WITHOUT ROWID;

        ALTER TABLE account ADD COLUMN topics_in_home INTEGER NOT NULL DEFAULT 1;
        ALTER TABLE account ADD COLUMN communities_in_home INTEGER NOT NULL DEFAULT 1;
        """

    private static let posts = """
        CREATE TABLE community (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            name_key TEXT NOT NULL UNIQUE,
            description TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            is_private INTEGER NOT NULL DEFAULT 0,
            locked_at INTEGER,
            members_count INTEGER NOT NULL DEFAULT 0 CHECK (members_count >= 0)
        ) STRICT;

        ALTER TABLE post ADD COLUMN visibility TEXT NOT NULL DEFAULT 'public'
            CHECK (visibility IN ('public', 'followers'));
        ALTER TABLE post ADD COLUMN community_id INTEGER REFERENCES community (id);
        ALTER TABLE post ADD COLUMN taken_down_at INTEGER;
        ALTER TABLE post ADD COLUMN removed_at INTEGER;
        CREATE INDEX post_by_community ON post (community_id, id) WHERE community_id IS NOT NULL;

        CREATE TABLE reshare (
            id INTEGER PRIMARY KEY,
            user_id INTEGER NOT NULL REFERENCES account (id),
            post_id INTEGER NOT NULL REFERENCES post (id)
        ) STRICT;
        CREATE UNIQUE INDEX reshare_by_pair ON reshare (user_id, post_id);
        CREATE INDEX reshare_by_user ON reshare (user_id, id, post_id);
        CREATE INDEX reshare_by_post ON reshare (post_id, id, user_id);

        CREATE TABLE topic (
            id INTEGER PRIMARY KEY,
            kind TEXT NOT NULL CHECK (kind IN ('category', 'tag')),
            topic_key TEXT NOT NULL,
            UNIQUE (topic_key, kind)
        ) STRICT;
        CREATE TABLE topic_post (
            topic_id INTEGER NOT NULL REFERENCES topic (id),
            post_id INTEGER NOT NULL REFERENCES post (id),
            PRIMARY KEY (topic_id, post_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX topic_post_by_post ON topic_post (post_id, topic_id);
        CREATE TABLE topic_reshare (
            topic_id INTEGER NOT NULL REFERENCES topic (id),
            reshare_id INTEGER NOT NULL,
            user_id INTEGER NOT NULL,
            post_id INTEGER NOT NULL,
            PRIMARY KEY (topic_id, reshare_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX topic_reshare_by_reshare ON topic_reshare (reshare_id);
        CREATE TABLE topic_follow (
            user_id INTEGER NOT NULL REFERENCES account (id),
            topic_key TEXT NOT NULL,
            name TEXT NOT NULL,
            position INTEGER NOT NULL,
            in_home INTEGER NOT NULL DEFAULT 1,
            PRIMARY KEY (user_id, topic_key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX topic_follow_by_position ON topic_follow (user_id, position);
        DROP INDEX post_tag_by_key;
        CREATE INDEX post_collaborator_by_user ON post_collaborator (user_id, post_id);
        """

    private static let communities = """
        CREATE TABLE community_member (
            community_id INTEGER NOT NULL REFERENCES community (id),
            user_id INTEGER NOT NULL REFERENCES account (id),
            role TEXT NOT NULL CHECK (role IN ('owner', 'moderator', 'member')),
            position INTEGER NOT NULL,
            in_home INTEGER NOT NULL DEFAULT 1,
            PRIMARY KEY (user_id, community_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX community_member_by_community ON community_member (community_id, position, user_id);
        CREATE TABLE community_ban (
            community_id INTEGER NOT NULL REFERENCES community (id),
            user_id INTEGER NOT NULL REFERENCES account (id),
            PRIMARY KEY (user_id, community_id)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE community_pin (
            community_id INTEGER NOT NULL REFERENCES community (id),
            post_id INTEGER NOT NULL REFERENCES post (id),
            position INTEGER NOT NULL,
            PRIMARY KEY (community_id, position)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX community_pin_by_post ON community_pin (post_id);
        """

    private static let fanout = """
        CREATE TABLE hub (
            user_id INTEGER PRIMARY KEY REFERENCES account (id),
            since INTEGER NOT NULL,
            phase TEXT NOT NULL CHECK (phase IN ('pulled', 'returning'))
        ) STRICT;

        CREATE TABLE job (
            id INTEGER PRIMARY KEY,
            kind TEXT NOT NULL CHECK (kind IN
                ('push', 'unpush', 'share', 'unshare', 'refresh', 'drop', 'build', 'land')),
            post_id INTEGER,
            user_id INTEGER,
            position INTEGER,
            viewers BLOB,
            progress_author INTEGER NOT NULL DEFAULT 0,
            progress_position INTEGER NOT NULL DEFAULT 0,
            created_at INTEGER NOT NULL
        ) STRICT;
        INSERT INTO job (id, kind, post_id, user_id, viewers, progress_author, progress_position, created_at)
            SELECT id, CASE kind WHEN 'edge' THEN 'refresh' ELSE kind END, post_id, user_id, viewers,
                progress_author, progress_position, created_at FROM outbox;
        DROP TABLE outbox;
        ALTER TABLE job RENAME TO outbox;
        CREATE INDEX outbox_by_post ON outbox (post_id);
        CREATE INDEX outbox_by_user ON outbox (user_id, id);

        CREATE TABLE delivery (
            post_id INTEGER PRIMARY KEY REFERENCES post (id),
            audience INTEGER NOT NULL,
            pulled INTEGER NOT NULL,
            queued_at INTEGER NOT NULL,
            finished_at INTEGER NOT NULL
        ) STRICT;
        """

    /// Posts of before carry their topics in their category and their tags.
    private static func fillTopics(_ database: Database) throws {
        var next = Int64(1)
        var known: [String: Int64] = [:]
        func add(_ post: Int64, kind: String, key: String) throws {
            let name = kind + ":" + key
            if known[name] == nil {
                try database.execute(
                    sql: "INSERT INTO topic (id, kind, topic_key) VALUES (?, ?, ?)", arguments: [next, kind, key])
                known[name] = next
                next += 1
            }
            try database.execute(
                sql: "INSERT INTO topic_post (topic_id, post_id) VALUES (?, ?)", arguments: [known[name], post])
        }
        let tags = try Row.fetchCursor(database, sql: "SELECT post_id, tag_key FROM post_tag")
        while let row = try tags.next() { try add(row[0], kind: "tag", key: row[1]) }
        let categories = try Row.fetchCursor(
            database, sql: "SELECT id, category FROM post WHERE category IS NOT NULL AND deleted_at IS NULL")
        while let row = try categories.next() { try add(row[0], kind: "category", key: NameFolding.key(row[1])) }
    }
}
