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
