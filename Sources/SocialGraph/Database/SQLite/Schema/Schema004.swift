import GRDB

/// Discovery: saved posts and collections, the search index, segments of videos, watch events, embeddings, and the
/// queue of pushes to devices. Each part stands in a file of its own.
enum Schema004 {
    static func migrate(_ database: Database) throws {
        try database.execute(sql: saves + search + segments + recommendations + embeddings + push)
        try fillTextIndexes(database)
        try foldPreferences(in: database)
    }
}
