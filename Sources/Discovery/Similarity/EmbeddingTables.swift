import Database
import SocialGraph

extension Tables {
    /// Vectors that the app computes of posts. A vector is of length 1, each component a Float32, the least significant
    /// byte first.
    package static let embeddings = """
        CREATE TABLE embedding (
            post_id INTEGER PRIMARY KEY REFERENCES post (id),
            vector BLOB NOT NULL
        ) STRICT;

        """
}
