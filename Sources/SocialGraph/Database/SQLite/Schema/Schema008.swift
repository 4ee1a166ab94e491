/// Addresses, as digests, that accounts have logged in from.
enum Schema008 {
    static let sql = """
        CREATE TABLE known_address (
            user_id INTEGER NOT NULL REFERENCES account (id),
            digest BLOB NOT NULL,
            used_at INTEGER NOT NULL,
            PRIMARY KEY (user_id, digest)
        ) STRICT, WITHOUT ROWID
        """
}
