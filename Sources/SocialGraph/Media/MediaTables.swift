import Database

extension Tables {
    /// Stored files, and the number and total size of each user's.
    package static let media = """
        CREATE TABLE media (
            id INTEGER PRIMARY KEY,
            owner_id INTEGER NOT NULL REFERENCES account (id),
            content_type TEXT NOT NULL,
            file_name TEXT NOT NULL,
            bytes INTEGER NOT NULL,
            sha256 BLOB NOT NULL,
            created_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX media_by_owner ON media (owner_id, id);

        CREATE TABLE media_usage (
            user_id INTEGER PRIMARY KEY REFERENCES account (id),
            bytes INTEGER NOT NULL CHECK (bytes >= 0),
            files INTEGER NOT NULL CHECK (files >= 0)
        ) STRICT;

        """
}
