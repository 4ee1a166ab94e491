import Database

extension Tables {
    /// The full-text indexes of posts, people and communities, with tables of the words of posts and people.
    ///
    /// An index keeps a copy of its texts: this SQLite cannot remove a document without them, and the tables no longer
    /// have the old texts by then. Prefixes of one to three letters have entries of their own; otherwise each search
    /// for "a…" would merge the entries of all words with an a. ``TextIndexMerger`` merges the index of posts, outside
    /// commits.
    package static let search = """
        CREATE VIRTUAL TABLE post_text USING fts5 (
            title, caption, tags, category, authors, tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3');
        INSERT INTO post_text (post_text, rank) VALUES ('automerge', 0);

        CREATE VIRTUAL TABLE post_word USING fts5vocab (post_text, instance);

        CREATE VIRTUAL TABLE account_text USING fts5 (
            username, display_name, bio, tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3');

        CREATE VIRTUAL TABLE account_word USING fts5vocab (account_text, instance);

        CREATE VIRTUAL TABLE community_text USING fts5 (
            name, tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3');

        """
}

extension SchemaChange {
    /// Adds the texts of attributes to the index of posts. A full-text table takes no further column, so the index is
    /// copied: it keeps its texts, and attributes are stored folded. This takes about as long as importing the posts.
    package static let searchableAttributes = SchemaChange(
        name: "0.2.0-searchable-attributes",
        statements: """
            CREATE VIRTUAL TABLE post_text_with_attributes USING fts5 (
                title, caption, tags, category, attributes, authors, tokenize = 'unicode61 remove_diacritics 2',
                prefix = '1 2 3');
            INSERT INTO post_text_with_attributes (post_text_with_attributes, rank) VALUES ('automerge', 0);
            INSERT INTO post_text_with_attributes (rowid, title, caption, tags, category, attributes, authors)
                SELECT rowid, title, caption, tags, category, COALESCE(
                    (SELECT group_concat(text_key, char(10)) FROM post_attribute WHERE post_id = post_text.rowid), ''),
                    authors
                FROM post_text ORDER BY rowid;
            DROP TABLE post_word;
            DROP TABLE post_text;
            ALTER TABLE post_text_with_attributes RENAME TO post_text;
            CREATE VIRTUAL TABLE post_word USING fts5vocab (post_text, instance);
            """)
}
