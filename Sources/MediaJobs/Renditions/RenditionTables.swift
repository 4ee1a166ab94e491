import Database

extension SchemaChange {
    /// The renditions of a file, in its row: a JSON array as answers have it. They are read with each post, and written
    /// seldom.
    package static let renditions = SchemaChange(
        name: "0.2.0-renditions", statements: "ALTER TABLE media ADD COLUMN renditions TEXT;")
}
