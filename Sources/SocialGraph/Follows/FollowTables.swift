import Database

extension Tables {
    /// Who follows whom. Three orderings of a follow, each covering one question: the primary key answers "does a
    /// follow b", `follow_by_follower` lists whom a follows and `follow_by_followee` who follows b, both newest first;
    /// the last is also the audience of a fan-out. A hub is read by its followers instead of being written to them.
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
