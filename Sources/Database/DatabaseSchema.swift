/// The tables and full-text indexes of the modules that use a database.
package struct DatabaseSchema: Sendable {
    /// Statements that create the tables of release 0.1.0, referenced tables first. They never change.
    package let tables: String
    /// Later changes of the tables, in the order in which they are applied. Append-only.
    package let changes: [SchemaChange]
    /// The index that is merged between commits rather than within them; nil: there is none.
    package let mergedIndex: TextIndex?

    package init(tables: String, changes: [SchemaChange], mergedIndex: TextIndex?) {
        self.tables = tables
        self.changes = changes
        self.mergedIndex = mergedIndex
    }
}

/// The tables of each topic, each in the folder of its topic.
package enum Tables {}

/// A change of the tables, applied once to each database. A change that has landed is never edited.
package struct SchemaChange: Sendable {
    /// The release that brings the change, and its topic: `0.2.0-follow-requests`.
    package let name: String
    package let statements: String
    /// True if older programs may serve the database before, during and after the change: it only adds tables with
    /// their indexes, and columns that may be absent, or makes indexes anew, and nothing depends on what older programs
    /// do not write. Nodes are then upgraded one by one.
    package let isAdditive: Bool

    package init(name: String, statements: String, isAdditive: Bool = false) {
        self.name = name
        self.statements = statements
        self.isAdditive = isAdditive
    }
}
