import Database
import SocialGraph

extension Tables {
    /// Labelled segments and transcripts of videos. The version of a segmentation is an id of the common sequence and
    /// changes with every write to either, so derived data stays valid until then. Times are milliseconds.
    package static let segments = """
        CREATE TABLE segmentation (
            post_id INTEGER PRIMARY KEY REFERENCES post (id),
            version INTEGER NOT NULL,
            transcript TEXT
        ) STRICT;

        CREATE TABLE segment (
            id INTEGER PRIMARY KEY,
            post_id INTEGER NOT NULL REFERENCES segmentation (post_id),
            label TEXT NOT NULL,
            starts_at INTEGER NOT NULL CHECK (starts_at >= 0),
            ends_at INTEGER NOT NULL CHECK (ends_at > starts_at)
        ) STRICT;
        CREATE INDEX segment_by_post ON segment (post_id, starts_at, ends_at, id);

        """
}
