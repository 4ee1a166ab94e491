/// Saved posts: private, the latest first. What is in a collection is saved; what is not saved is in none.
extension GraphStore {
    /// Saves a post; returns the save, an earlier one if the post was saved already. Whether `user` may see the post is
    /// for the caller to judge. Throws ``GraphError/accountNotFound`` and ``GraphError/postNotFound``.
    @discardableResult
    package func save(_ post: PostID, by user: UserID) async throws -> SavedPost {
        try await database.write { transaction in
            try Self.requireAccounts([user], in: transaction)
            try Self.requireLive(post, in: transaction)
            return try Self.save(post, by: user, in: transaction)
        }
    }

    static func save(_ post: PostID, by user: UserID, in transaction: any GraphTransaction) throws -> SavedPost {
        if let id = try saveID(of: post, by: user, transaction) { return SavedPost(id: id, post: post) }
        let id = try transaction.nextID()
        try transaction.execute(
            "INSERT INTO saved_post (id, post_id, user_id) VALUES (?1, ?2, ?3)",
            [.integer(id), .post(post), .user(user)])
        try transaction.record(GraphChange(.savesChanged, subject: post.rawValue, object: user.rawValue))
        return SavedPost(id: id, post: post)
    }

    /// Takes a save back, and the post out of the user's collections; false if it was not saved.
    @discardableResult
    package func unsave(_ post: PostID, by user: UserID) async throws -> Bool {
        try await database.write { transaction in
            guard let id = try Self.saveID(of: post, by: user, transaction) else { return false }
            try Self.deleteSave(id, of: post, by: user, in: transaction)
            return true
        }
    }

    static func deleteSave(
        _ id: Int64, of post: PostID, by user: UserID, in transaction: any GraphTransaction
    ) throws {
        let collections = try transaction.rows(collectionsHoldingQuery, [.user(user), .post(post)]) {
            CollectionID(rawValue: $0.integer(0))
        }
        for collection in collections { _ = try take(post, outOf: collection, in: transaction) }
        try transaction.execute("DELETE FROM saved_post WHERE id = ?1", [.integer(id)])
        try transaction.record(GraphChange(.savesChanged, subject: post.rawValue, object: user.rawValue))
    }

    static let collectionsHoldingQuery = """
        SELECT c.id FROM collection c JOIN collection_post cp ON cp.collection_id = c.id AND cp.post_id = ?2
        WHERE c.user_id = ?1
        """

    private static func saveID(of post: PostID, by user: UserID, _ reader: any SQLReader) throws -> Int64? {
        try reader.first(saveProbe, [.user(user), .post(post)]) { $0.integer(0) }
    }

    static let saveProbe = "SELECT id FROM saved_post WHERE user_id = ?1 AND post_id = ?2"

    /// The save of `post` by `user`; nil where there is none.
    package func savedPost(_ post: PostID, by user: UserID) async throws -> SavedPost? {
        try await database.read { try Self.saveID(of: post, by: user, $0) }.map { SavedPost(id: $0, post: post) }
    }

    /// What `user` has saved, the latest first, also what is not shown to the user any more.
    package func saves(by user: UserID, below cursor: Int64?, limit: Int) async throws -> [SavedPost] {
        try await database.read { reader in
            try reader.rows(
                Self.savesByUserQuery, [.user(user), .integer(cursor ?? .max), .integer(Int64(limit))]
            ) { SavedPost(id: $0.integer(0), post: PostID(rawValue: $0.integer(1))) }
        }
    }

    static let savesByUserQuery = """
        SELECT id, post_id FROM saved_post WHERE user_id = ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3
        """

    static func eraseSaves(_ user: UserID, _ limit: Int, _ transaction: any GraphTransaction) throws -> Bool {
        let collections = try transaction.rows(
            "SELECT id FROM collection WHERE user_id = ?1 LIMIT ?2", [.user(user), .integer(1)]
        ) { CollectionID(rawValue: $0.integer(0)) }
        for collection in collections { try delete(collection, in: transaction) }
        let saves = try transaction.rows(
            "SELECT id, post_id FROM saved_post WHERE user_id = ?1 LIMIT ?2", [.user(user), .integer(Int64(limit))]
        ) { SavedPost(id: $0.integer(0), post: PostID(rawValue: $0.integer(1))) }
        for save in saves { try deleteSave(save.id, of: save.post, by: user, in: transaction) }
        return !collections.isEmpty || !saves.isEmpty
    }

    /// Removes up to `limit` saves of a deleted post; how many those were.
    static func purgeSaves(of post: PostID, _ limit: Int, _ transaction: any GraphTransaction) throws -> Int {
        let saves = try transaction.rows(
            "SELECT id, user_id FROM saved_post WHERE post_id = ?1 LIMIT ?2", [.post(post), .integer(Int64(limit))]
        ) { (id: $0.integer(0), user: UserID(rawValue: $0.integer(1))) }
        for save in saves { try deleteSave(save.id, of: post, by: save.user, in: transaction) }
        return saves.count
    }
}
