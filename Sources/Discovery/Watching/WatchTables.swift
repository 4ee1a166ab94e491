import Database
import SocialGraph

extension Tables {
    /// Watches, with ids of the common sequence: the id is the time of the last viewing and its position in lists.
    package static let watches = """
        CREATE TABLE watch (
            id INTEGER PRIMARY KEY,
            post_id INTEGER NOT NULL REFERENCES post (id),
            user_id INTEGER NOT NULL REFERENCES account (id),
            seconds REAL NOT NULL CHECK (seconds >= 0),
            completed INTEGER NOT NULL CHECK (completed IN (0, 1))
        ) STRICT;
        CREATE UNIQUE INDEX watch_by_pair ON watch (user_id, post_id);
        CREATE INDEX watch_by_user ON watch (user_id, id);
        CREATE INDEX watch_by_post ON watch (post_id, id);

        """
}
