import Database
import SocialGraph

extension Tables {
    /// Vectors that the app computes for posts. A vector has length 1; each component is a Float32, least significant
    /// byte first.
    package static let embeddings = """
        CREATE TABLE embedding (
            post_id INTEGER PRIMARY KEY REFERENCES post (id),
            vector BLOB NOT NULL
        ) STRICT;

        """
}
