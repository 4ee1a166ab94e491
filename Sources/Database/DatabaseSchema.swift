/// The tables and full-text indexes of the modules that use a database.
package struct DatabaseSchema: Sendable {
    /// Statements that create the tables, referenced tables first.
    package let tables: String
    /// The index that is merged between commits rather than within them; nil: there is none.
    package let mergedIndex: TextIndex?

    package init(tables: String, mergedIndex: TextIndex?) {
        self.tables = tables
        self.mergedIndex = mergedIndex
    }
}

/// The tables of each topic, each in the folder of its topic.
package enum Tables {}
