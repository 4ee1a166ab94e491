/// Accounts, follows, posts, the outbox and the change log.
///
/// Three orderings of a follow, each covering one question: the primary key answers "does a follow b",
/// `follow_by_follower` lists whom a follows and `follow_by_followee` who follows b, both newest first; the last is
/// also the audience of a fan-out.
/// `author_post` is the author feed: one row for each live post and each of its authors (the author and accepted
/// collaborators), so that every home pull is a merge of its ranges; its second index walks all live posts newest
/// first.
enum Schema001 {
    static let sql = """
        CREATE TABLE id_sequence (
            only INTEGER PRIMARY KEY CHECK (only = 1),
            last INTEGER NOT NULL CHECK (last BETWEEN 0 AND 9007199254740991)
        ) STRICT;
        INSERT INTO id_sequence (only, last) VALUES (1, 0);

        CREATE TABLE setting (
            name TEXT PRIMARY KEY NOT NULL,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE account (
            id INTEGER PRIMARY KEY,
            username TEXT NOT NULL,
            username_key TEXT NOT NULL UNIQUE,
            email TEXT,
            email_key TEXT UNIQUE,
            password_hash TEXT,
            token_epoch INTEGER NOT NULL DEFAULT 0,
            created_at INTEGER NOT NULL,
            followers_count INTEGER NOT NULL DEFAULT 0 CHECK (followers_count >= 0),
            following_count INTEGER NOT NULL DEFAULT 0 CHECK (following_count >= 0),
            posts_count INTEGER NOT NULL DEFAULT 0 CHECK (posts_count >= 0)
        ) STRICT;
        CREATE INDEX account_by_followers ON account (followers_count, id);

        CREATE TABLE follow (
            follower_id INTEGER NOT NULL REFERENCES account (id),
            followee_id INTEGER NOT NULL REFERENCES account (id),
            position INTEGER NOT NULL,
            PRIMARY KEY (follower_id, followee_id),
            CHECK (follower_id <> followee_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX follow_by_follower ON follow (follower_id, position, followee_id);
        CREATE INDEX follow_by_followee ON follow (followee_id, position, follower_id);

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
            shares_count INTEGER NOT NULL DEFAULT 0 CHECK (shares_count >= 0)
        ) STRICT;

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
        CREATE UNIQUE INDEX post_tag_by_key ON post_tag (tag_key, post_id);

        CREATE TABLE post_collaborator (
            post_id INTEGER NOT NULL REFERENCES post (id),
            user_id INTEGER NOT NULL REFERENCES account (id),
            ordinal INTEGER NOT NULL,
            status TEXT NOT NULL CHECK (status IN ('pending', 'accepted')),
            PRIMARY KEY (post_id, user_id)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE idempotency (
            account_id INTEGER NOT NULL REFERENCES account (id),
            idempotency_key TEXT NOT NULL,
            fingerprint BLOB NOT NULL,
            post_id INTEGER NOT NULL REFERENCES post (id),
            created_at INTEGER NOT NULL,
            PRIMARY KEY (account_id, idempotency_key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX idempotency_by_age ON idempotency (created_at);

        CREATE TABLE outbox (
            id INTEGER PRIMARY KEY,
            kind TEXT NOT NULL CHECK (kind IN ('push', 'unpush', 'edge', 'drop', 'build')),
            post_id INTEGER,
            user_id INTEGER,
            followee_id INTEGER,
            viewers BLOB,
            progress_author INTEGER NOT NULL DEFAULT 0,
            progress_position INTEGER NOT NULL DEFAULT 0,
            created_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX outbox_by_post ON outbox (post_id);

        CREATE TABLE change (
            seq INTEGER PRIMARY KEY,
            kind INTEGER NOT NULL,
            subject INTEGER NOT NULL,
            object INTEGER NOT NULL
        ) STRICT;
        """
}
