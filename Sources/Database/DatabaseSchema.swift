/// The tables and full-text indexes of the modules that store in a database.
package struct DatabaseSchema: Sendable {
    /// Statements that create the tables, in their order: those that others refer to come first.
    package let tables: String
    /// The index that is merged between commits, and not as a part of them; nil: there is none.
    package let mergedIndex: TextIndex?

    package init(tables: String, mergedIndex: TextIndex?) {
        self.tables = tables
        self.mergedIndex = mergedIndex
    }
}

/// The tables of each topic, each in the folder of its topic.
package enum Tables {}
