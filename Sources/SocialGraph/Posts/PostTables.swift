import Database

extension Tables {
    /// Posts. `author_post` is the author feed: one row for each live post and each of its authors (the author and
    /// accepted collaborators), so that every home pull is a merge of its ranges; its second index walks all live posts
    /// newest first. A reshare has an id of the common sequence, which is its position in timelines.
    package static let posts = """
        CREATE TABLE post (
            id INTEGER PRIMARY KEY,
            author_id INTEGER NOT NULL REFERENCES account (id),
            caption TEXT NOT NULL,
            media_url TEXT NOT NULL,
            category TEXT,
            link TEXT,
            created_at INTEGER NOT NULL,
            deleted_at INTEGER,
            likes_count INTEGER NOT NULL DEFAULT 0 CHECK (likes_count >= 0),
            comments_count INTEGER NOT NULL DEFAULT 0 CHECK (comments_count >= 0),
            shares_count INTEGER NOT NULL DEFAULT 0 CHECK (shares_count >= 0),
            visibility TEXT NOT NULL DEFAULT 'public'
                CHECK (visibility IN ('public', 'followers')),
            community_id INTEGER REFERENCES community (id),
            taken_down_at INTEGER,
            removed_at INTEGER,
            title TEXT,
            thumbnail_url TEXT,
            media_id INTEGER REFERENCES media (id),
            thumbnail_id INTEGER REFERENCES media (id),
            updated_at INTEGER NOT NULL DEFAULT 0,
            held_at INTEGER,
            featured_at INTEGER,
            commenters_count INTEGER NOT NULL DEFAULT 0 CHECK (commenters_count >= 0),
            sharers_count INTEGER NOT NULL DEFAULT 0 CHECK (sharers_count >= 0),
            members_only INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX post_by_community ON post (community_id, id) WHERE community_id IS NOT NULL;
        CREATE INDEX post_by_media ON post (media_id) WHERE media_id IS NOT NULL;
        CREATE INDEX post_by_thumbnail ON post (thumbnail_id) WHERE thumbnail_id IS NOT NULL;
        CREATE INDEX post_held ON post (id) WHERE held_at IS NOT NULL;
        CREATE INDEX post_featured ON post (community_id, featured_at, id) WHERE featured_at IS NOT NULL;
        CREATE INDEX post_held_by_community ON post (community_id, id) WHERE held_at IS NOT NULL;
        CREATE INDEX post_by_popularity ON post ((likes_count + 2 * commenters_count + 3 * sharers_count), id)
            WHERE deleted_at IS NULL;

        CREATE TABLE author_post (
            author_id INTEGER NOT NULL REFERENCES account (id),
            post_id INTEGER NOT NULL REFERENCES post (id),
            PRIMARY KEY (author_id, post_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX author_post_by_post ON author_post (post_id, author_id);

        CREATE TABLE post_tag (
            post_id INTEGER NOT NULL REFERENCES post (id),
            ordinal INTEGER NOT NULL,
            tag TEXT NOT NULL,
            tag_key TEXT NOT NULL,
            PRIMARY KEY (post_id, ordinal)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE post_collaborator (
            post_id INTEGER NOT NULL REFERENCES post (id),
            user_id INTEGER NOT NULL REFERENCES account (id),
            ordinal INTEGER NOT NULL,
            status TEXT NOT NULL CHECK (status IN ('pending', 'accepted')),
            PRIMARY KEY (post_id, user_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX post_collaborator_by_user ON post_collaborator (user_id, post_id);

        CREATE TABLE post_attribute (
            post_id INTEGER NOT NULL REFERENCES post (id),
            name TEXT NOT NULL,
            ordinal INTEGER NOT NULL,
            kind TEXT NOT NULL CHECK (kind IN ('text', 'number', 'flag', 'list')),
            text_value TEXT,
            text_key TEXT,
            number_value REAL,
            PRIMARY KEY (post_id, name, ordinal)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX post_attribute_by_text ON post_attribute (name, text_key, post_id) WHERE text_key IS NOT NULL;
        CREATE INDEX post_attribute_by_name ON post_attribute (name, post_id, kind, number_value) WHERE ordinal = 0;
        CREATE INDEX post_attribute_by_number ON post_attribute (name, kind, number_value, post_id)
            WHERE number_value IS NOT NULL;

        CREATE TABLE reshare (
            id INTEGER PRIMARY KEY,
            user_id INTEGER NOT NULL REFERENCES account (id),
            post_id INTEGER NOT NULL REFERENCES post (id)
        ) STRICT;
        CREATE UNIQUE INDEX reshare_by_pair ON reshare (user_id, post_id);
        CREATE INDEX reshare_by_user ON reshare (user_id, id, post_id);
        CREATE INDEX reshare_by_post ON reshare (post_id, id, user_id);

        CREATE TABLE idempotency (
            account_id INTEGER NOT NULL REFERENCES account (id),
            idempotency_key TEXT NOT NULL,
            fingerprint BLOB NOT NULL,
            post_id INTEGER NOT NULL REFERENCES post (id),
            created_at INTEGER NOT NULL,
            PRIMARY KEY (account_id, idempotency_key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX idempotency_by_age ON idempotency (created_at);

        """
}
