import GRDB

extension Schema004 {
    /// The full-text indexes of posts, people and communities, with tables of the words of posts and people, and what
    /// lists of posts walk along: those that carry an attribute, and all by what they got.
    ///
    /// An index keeps a copy of its texts: this SQLite cannot take a document out of an index without them, and what
    /// they were is gone by the time it is asked. Beginnings of one to three letters have entries of their own;
    /// without these, each look at "a…" would merge the entries of all words with an a.
    static let search = """
        CREATE VIRTUAL TABLE post_text USING fts5 (
            title, caption, tags, category, authors, tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3');
        CREATE VIRTUAL TABLE post_word USING fts5vocab (post_text, instance);
        CREATE VIRTUAL TABLE account_text USING fts5 (
            username, display_name, bio, tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3');
        CREATE VIRTUAL TABLE account_word USING fts5vocab (account_text, instance);
        DROP TABLE community_term;
        CREATE VIRTUAL TABLE community_text USING fts5 (
            name, tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3');
        CREATE INDEX post_attribute_by_name ON post_attribute (name, post_id, kind, number_value) WHERE ordinal = 0;
        CREATE INDEX post_by_popularity ON post ((likes_count + 2 * comments_count + 3 * shares_count), id)
            WHERE deleted_at IS NULL;

        """

    /// Indexes what the tables hold.
    static func fillTextIndexes(_ database: Database) throws {
        let search = SQLiteTextSearch(database: database)
        let accounts = try Int64.fetchAll(database, sql: "SELECT id FROM account WHERE deleted_at IS NULL ORDER BY id")
        try search.update(accounts.lazy.map { .account(UserID(rawValue: $0)) })
        let communities = try Int64.fetchAll(database, sql: "SELECT id FROM community ORDER BY id")
        try search.update(communities.lazy.map { .community(CommunityID(rawValue: $0)) })
        let posts = try Int64.fetchAll(database, sql: "SELECT id FROM post WHERE deleted_at IS NULL ORDER BY id")
        try search.update(posts.lazy.map { .post(PostID(rawValue: $0)) })
    }
}
