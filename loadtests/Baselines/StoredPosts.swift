/// The posts in a database of graphd.
enum StoredPosts {
    /// The ids.
    static func ids(on server: PostgreSQL, in database: String) throws -> Set<String> {
        Set(try server.run("SELECT id FROM post", in: database).split(separator: "\n").map(String.init))
    }
}
