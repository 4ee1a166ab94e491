/// Whether invitations to collaborate by authors whom a user follows are accepted at once. Nobody has asked for that.
enum Schema009 {
    static let sql = """
        ALTER TABLE account ADD COLUMN auto_accepts INTEGER NOT NULL DEFAULT 0 CHECK (auto_accepts IN (0, 1))
        """
}
