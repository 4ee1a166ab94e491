import Database
import SocialGraph

extension Tables {
    /// Rankings in use by paging clients.
    package static let rankings = """
        CREATE TABLE ranking (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            posts BLOB NOT NULL
        ) STRICT;
        CREATE INDEX ranking_by_name ON ranking (name, id);
        CREATE INDEX ranking_by_age ON ranking (created_at);

        """
}
