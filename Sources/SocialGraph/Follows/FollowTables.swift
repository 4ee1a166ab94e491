import Database

extension Tables {
    /// Follows. Each of three orderings covers one question: the primary key answers "does a follow b",
    /// `follow_by_follower` lists the followees of a, and `follow_by_followee` the followers of b, both newest first.
    /// The last one is also the audience of a fan-out. Followers read a hub instead of receiving its posts in their
    /// windows.
    package static let follows = """
        CREATE TABLE follow (
            follower_id INTEGER NOT NULL REFERENCES account (id),
            followee_id INTEGER NOT NULL REFERENCES account (id),
            position INTEGER NOT NULL,
            PRIMARY KEY (follower_id, followee_id),
            CHECK (follower_id <> followee_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX follow_by_follower ON follow (follower_id, position, followee_id);
        CREATE INDEX follow_by_followee ON follow (followee_id, position, follower_id);

        CREATE TABLE hub (
            user_id INTEGER PRIMARY KEY REFERENCES account (id),
            since INTEGER NOT NULL,
            phase TEXT NOT NULL CHECK (phase IN ('pulled', 'returning'))
        ) STRICT;

        """
}
