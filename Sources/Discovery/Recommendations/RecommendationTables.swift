import Database
import SocialGraph

extension Tables {
    /// Lists of recommendations in use by paging clients.
    package static let recommendations = """
        CREATE TABLE recommendation_list (
            id INTEGER PRIMARY KEY,
            user_id INTEGER NOT NULL REFERENCES account (id),
            scope TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            entries BLOB NOT NULL
        ) STRICT;
        CREATE INDEX recommendation_list_by_user ON recommendation_list (user_id, id);
        CREATE INDEX recommendation_list_by_age ON recommendation_list (created_at);

        """
}
