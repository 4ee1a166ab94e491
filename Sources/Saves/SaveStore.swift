import Database
import SocialGraph

/// Saved posts: private, the latest first. Every post of a collection is saved.
package struct SaveStore: Sendable {
    let database: any GraphDatabase

    /// Queries on one snapshot.
    package struct Reader {
        let reader: any SQLReader
        package init(_ reader: any SQLReader) { self.reader = reader }
    }

    /// Writes in one transaction.
    package struct Writer {
        let transaction: any GraphTransaction
        package init(_ transaction: any GraphTransaction) { self.transaction = transaction }
        /// Queries that see the writes of the transaction.
        var stored: Reader { Reader(transaction) }
    }
}

extension SaveStore {
    /// Saves a post; returns the save, or the earlier one if the post was saved already. The caller checks that `user`
    /// may see the post. Throws ``GraphError/accountNotFound`` and ``GraphError/postNotFound``.
    @discardableResult package func save(_ post: PostID, by user: UserID) async throws -> SavedPost {
        try await database.write { transaction in
            try AccountStore.Reader(transaction).requireAccounts([user])
            try PostStore.Reader(transaction).requireLive(post)
            return try Writer(transaction).save(post, by: user)
        }
    }

    /// Removes a save, and the post from the user's collections; false if it was not saved.
    @discardableResult package func unsave(_ post: PostID, by user: UserID) async throws -> Bool {
        try await database.write { transaction in
            guard let id = try Reader(transaction).saveID(of: post, by: user) else { return false }
            try Writer(transaction).deleteSave(id, of: post, by: user)
            return true
        }
    }

    /// Removes the saves of `removed`, as ``unsave(_:by:)`` does, and then saves `added` in their order, all in one
    /// transaction. No post is in both. Throws ``GraphError/accountNotFound`` and ``GraphError/postNotFound``; then
    /// nothing has changed.
    package func replace(_ removed: [PostID], with added: [PostID], by user: UserID) async throws {
        try await database.write { transaction in
            let (ends, begins) = (Array(Set(removed)), added)
            let known = try transaction.first(
                of: (ends + begins).map { SQLQuery(Reader.saveProbe, [.user(user), .post($0)]) }
            ) { $0.integer(0) }
            try Writer(transaction).deleteSaves(
                zip(ends, known).compactMap { post, id in id.map { ($0, post, user) } })
            guard !begins.isEmpty else { return }
            try AccountStore.Reader(transaction).requireAccounts([user])
            guard try transaction.exist(begins.map(PostStore.Reader.liveProbe)).allSatisfy(\.self) else {
                throw GraphError.postNotFound
            }
            var saved: Set<PostID> = []
            for (post, id) in zip(begins, known.dropFirst(ends.count)) where saved.insert(post).inserted && id == nil {
                try Writer(transaction).insertSave(of: post, by: user)
            }
        }
    }

    /// The save of `post` by `user`; nil: there is none.
    package func savedPost(_ post: PostID, by user: UserID) async throws -> SavedPost? {
        try await database.read { try Reader($0).saveID(of: post, by: user) }.map { SavedPost(id: $0, post: post) }
    }

    /// Posts that `user` has saved, the latest first, including posts that the user may not see any more.
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
}

extension SaveStore.Reader {
    fileprivate func saveID(of post: PostID, by user: UserID) throws -> Int64? {
        try reader.first(Self.saveProbe, [.user(user), .post(post)]) { $0.integer(0) }
    }

    /// The posts of a list that a user, the first argument, has saved.
    package static let savedAmong = ListQuery(after: 1) {
        "SELECT post_id FROM saved_post WHERE user_id = ?1 AND post_id IN (\($0))"
    }

    static let saveProbe = "SELECT id FROM saved_post WHERE user_id = ?1 AND post_id = ?2"
}

extension SaveStore.Writer {
    func save(_ post: PostID, by user: UserID) throws -> SavedPost {
        if let id = try stored.saveID(of: post, by: user) { return SavedPost(id: id, post: post) }
        return try insertSave(of: post, by: user)
    }

    @discardableResult fileprivate func insertSave(of post: PostID, by user: UserID) throws -> SavedPost {
        let id = try transaction.nextID()
        try transaction.execute(
            "INSERT INTO saved_post (id, post_id, user_id) VALUES (?1, ?2, ?3)",
            [.integer(id), .post(post), .user(user)])
        try transaction.record(.savesChanged(post, by: user))
        return SavedPost(id: id, post: post)
    }

    func deleteSave(_ id: Int64, of post: PostID, by user: UserID) throws { try deleteSaves([(id, post, user)]) }

    /// Deletes saves, which must differ, and takes the posts out of the users' collections.
    fileprivate func deleteSaves(_ saves: [(id: Int64, post: PostID, user: UserID)]) throws {
        let collections = try transaction.rows(
            of: saves.map { SQLQuery(Self.collectionsHoldingQuery, [.user($0.user), .post($0.post)]) }
        ) { CollectionID(rawValue: $0.integer(0)) }
        for (save, collections) in zip(saves, collections) {
            for collection in collections { try CollectionStore.Writer(transaction).drop(save.post, from: collection) }
            try transaction.execute("DELETE FROM saved_post WHERE id = ?1", [.integer(save.id)])
            try transaction.record(.savesChanged(save.post, by: save.user))
        }
    }

    static let collectionsHoldingQuery = """
        SELECT c.id FROM collection c JOIN collection_post cp ON cp.collection_id = c.id AND cp.post_id = ?2
        WHERE c.user_id = ?1
        """

    func eraseSaves(_ user: UserID, _ limit: Int) throws -> Bool {
        let collections = try transaction.rows(
            "SELECT id FROM collection WHERE user_id = ?1 LIMIT ?2", [.user(user), .integer(1)]
        ) { CollectionID(rawValue: $0.integer(0)) }
        for collection in collections { try CollectionStore.Writer(transaction).delete(collection) }
        let saves = try transaction.rows(
            "SELECT id, post_id FROM saved_post WHERE user_id = ?1 LIMIT ?2", [.user(user), .integer(Int64(limit))]
        ) { (id: $0.integer(0), post: PostID(rawValue: $0.integer(1)), user: user) }
        try deleteSaves(saves)
        return !collections.isEmpty || !saves.isEmpty
    }

    /// Removes up to `limit` saves of a deleted post; returns their number.
    func purgeSaves(of post: PostID, _ limit: Int) throws -> Int {
        let saves = try transaction.rows(
            "SELECT id, user_id FROM saved_post WHERE post_id = ?1 LIMIT ?2", [.post(post), .integer(Int64(limit))]
        ) { (id: $0.integer(0), post: post, user: UserID(rawValue: $0.integer(1))) }
        try deleteSaves(saves)
        return saves.count
    }
}
