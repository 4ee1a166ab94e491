import Database
import SocialGraph
import Text

/// Named collections of saved posts. Another user's collection is treated as if it did not exist.
package struct CollectionStore: Sendable {
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
    }
}

extension CollectionStore {
    /// Creates a collection. Throws ``GraphError/accountNotFound``, ``GraphError/collectionNameTaken(_:)`` (names are
    /// compared without letter case) and ``GraphError/limitReached(_:)``.
    @discardableResult
    package func createCollection(named name: String, by user: UserID) async throws -> PostCollection {
        try await database.write { transaction in
            try AccountStore.Reader(transaction).requireAccounts([user])
            try Writer(transaction).requireFree(name, of: user)
            try BlockAndMuteStore.Reader(transaction).requireRoom(
                "SELECT COUNT(*) FROM collection WHERE user_id = ?1", [.user(user)],
                below: SocialGraphLimits.collectionsPerUser, "collections")
            let id = CollectionID(rawValue: try transaction.nextID())
            try transaction.execute(
                "INSERT INTO collection (id, user_id, name, name_key, updated_at) VALUES (?1, ?2, ?3, ?4, ?5)",
                [
                    .collection(id), .user(user), .text(name), .text(NameFolding.key(name)),
                    .integer(IDSequence.milliseconds(of: id.rawValue)),
                ])
            return try Reader(transaction).collection(id, of: user)
        }
    }

    /// Renames a collection. Throws ``GraphError/collectionNotFound`` and ``GraphError/collectionNameTaken(_:)``.
    @discardableResult
    package func renameCollection(_ id: CollectionID, to name: String, by user: UserID) async throws -> PostCollection {
        try await database.write { transaction in
            let before = try Reader(transaction).collection(id, of: user)
            if NameFolding.key(name) != NameFolding.key(before.name) {
                try Writer(transaction).requireFree(name, of: user)
            }
            try transaction.execute(
                "UPDATE collection SET name = ?2, name_key = ?3, updated_at = ?4 WHERE id = ?1",
                [.collection(id), .text(name), .text(NameFolding.key(name)), .integer(transaction.now)])
            return try Reader(transaction).collection(id, of: user)
        }
    }

    /// Deletes a collection; its posts stay saved. Throws ``GraphError/collectionNotFound``.
    package func deleteCollection(_ id: CollectionID, by user: UserID) async throws {
        try await database.write { transaction in
            _ = try Reader(transaction).collection(id, of: user)
            try Writer(transaction).delete(id)
        }
    }

    /// A user's collection. Throws ``GraphError/collectionNotFound``.
    package func collection(_ id: CollectionID, of user: UserID) async throws -> PostCollection {
        try await database.read { try Reader($0).collection(id, of: user) }
    }

    /// All of a user's collections, the latest first: at most ``SocialGraphLimits/collectionsPerUser``.
    package func collections(of user: UserID) async throws -> [PostCollection] {
        try await database.read { reader in
            try reader.rows(
                "SELECT id, name, posts_count, updated_at FROM collection WHERE user_id = ?1 ORDER BY id DESC",
                [.user(user)], Self.collection)
        }
    }

    /// Saves a post and appends it to a collection; a post that is in the collection keeps its place. The caller checks
    /// that `user` may see the post. Throws ``GraphError/collectionNotFound``, ``GraphError/postNotFound`` and
    /// ``GraphError/limitReached(_:)``.
    package func collect(_ post: PostID, in id: CollectionID, by user: UserID) async throws {
        try await database.write { transaction in
            let collection = try Reader(transaction).collection(id, of: user)
            try PostStore.Reader(transaction).requireLive(post)
            if try transaction.exists(Self.entryProbe, [.collection(id), .post(post)]) { return }
            guard collection.postsCount < SocialGraphLimits.postsPerCollection else {
                throw GraphError.limitReached("\(SocialGraphLimits.postsPerCollection) posts of a collection")
            }
            _ = try SaveStore.Writer(transaction).save(post, by: user)
            let last = try transaction.first(Self.lastEntryQuery, [.collection(id)]) { $0.integer(0) }
            try transaction.execute(
                "INSERT INTO collection_post (collection_id, post_id, position) VALUES (?1, ?2, ?3)",
                [.collection(id), .post(post), .integer((last ?? 0) + 1)])
            try Writer(transaction).count(1, in: id)
        }
    }

    static let entryProbe = "SELECT 1 FROM collection_post WHERE collection_id = ?1 AND post_id = ?2"
    static let lastEntryQuery = """
        SELECT position FROM collection_post WHERE collection_id = ?1 ORDER BY position DESC LIMIT 1
        """

    /// Removes a post from a collection; it stays saved. False if it was not in the collection. Throws
    /// ``GraphError/collectionNotFound``.
    @discardableResult
    package func uncollect(_ post: PostID, from id: CollectionID, by user: UserID) async throws -> Bool {
        try await database.write { transaction in
            _ = try Reader(transaction).collection(id, of: user)
            return try Writer(transaction).take(post, outOf: id)
        }
    }

    /// Moves `first` to the front in that order; the other posts follow in their present order. Throws
    /// ``GraphError/collectionNotFound`` and ``GraphError/notInCollection(_:)``; then nothing has changed.
    package func reorder(_ id: CollectionID, first: [PostID], by user: UserID) async throws {
        try await database.write { transaction in
            _ = try Reader(transaction).collection(id, of: user)
            let present = try Reader(transaction).entries(of: id, above: 0, limit: .max).map(\.post)
            let members = Set(present)
            if let stranger = first.first(where: { !members.contains($0) }) {
                throw GraphError.notInCollection(String(stranger.rawValue))
            }
            let chosen = Set(first)
            for (index, post) in (first + present.filter { !chosen.contains($0) }).enumerated() {
                try transaction.execute(
                    "UPDATE collection_post SET position = ?3 WHERE collection_id = ?1 AND post_id = ?2",
                    [.collection(id), .post(post), .integer(Int64(index + 1))])
            }
            try Writer(transaction).count(0, in: id)
        }
    }

    /// The posts of a collection in their order, including posts that the user may not see any more. Throws
    /// ``GraphError/collectionNotFound``.
    package func posts(
        in id: CollectionID, of user: UserID, above cursor: Int64?, limit: Int
    ) async throws -> [CollectionEntry] {
        try await database.read { reader in
            _ = try Reader(reader).collection(id, of: user)
            return try Reader(reader).entries(of: id, above: cursor ?? 0, limit: Int64(limit))
        }
    }

    fileprivate static func collection(_ row: any SQLRow) -> PostCollection {
        PostCollection(
            id: CollectionID(rawValue: row.integer(0)), name: row.text(1), postsCount: row.integer(2),
            updatedAt: row.integer(3))
    }
}

extension CollectionStore.Reader {
    fileprivate func entries(of id: CollectionID, above position: Int64, limit: Int64) throws -> [CollectionEntry] {
        try reader.rows(Self.entriesQuery, [.collection(id), .integer(position), .integer(limit)]) {
            CollectionEntry(position: $0.integer(0), post: PostID(rawValue: $0.integer(1)))
        }
    }

    static let entriesQuery = """
        SELECT position, post_id FROM collection_post WHERE collection_id = ?1 AND position > ?2
        ORDER BY position LIMIT ?3
        """

    fileprivate func collection(_ id: CollectionID, of user: UserID) throws -> PostCollection {
        let found = try reader.first(
            "SELECT id, name, posts_count, updated_at FROM collection WHERE id = ?1 AND user_id = ?2",
            [.collection(id), .user(user)], CollectionStore.collection)
        guard let found else { throw GraphError.collectionNotFound }
        return found
    }
}

extension CollectionStore.Writer {
    func delete(_ id: CollectionID) throws {
        try transaction.execute("DELETE FROM collection_post WHERE collection_id = ?1", [.collection(id)])
        try transaction.execute("DELETE FROM collection WHERE id = ?1", [.collection(id)])
    }

    func take(_ post: PostID, outOf id: CollectionID) throws -> Bool {
        let removed = try transaction.executeCounting(
            "DELETE FROM collection_post WHERE collection_id = ?1 AND post_id = ?2", [.collection(id), .post(post)])
        guard removed > 0 else { return false }
        try count(-1, in: id)
        return true
    }

    /// Takes a post out of a collection that holds it.
    func drop(_ post: PostID, from id: CollectionID) throws {
        try transaction.execute(
            "DELETE FROM collection_post WHERE collection_id = ?1 AND post_id = ?2", [.collection(id), .post(post)])
        try count(-1, in: id)
    }

    /// Keeps a collection's count equal to its rows, and updates its time.
    fileprivate func count(_ change: Int64, in id: CollectionID) throws {
        try transaction.execute(
            "UPDATE collection SET posts_count = posts_count + ?2, updated_at = ?3 WHERE id = ?1",
            [.collection(id), .integer(change), .integer(transaction.now)])
    }

    fileprivate func requireFree(_ name: String, of user: UserID) throws {
        let isTaken = try transaction.exists(
            "SELECT 1 FROM collection WHERE user_id = ?1 AND name_key = ?2",
            [.user(user), .text(NameFolding.key(name))])
        if isTaken { throw GraphError.collectionNameTaken(name) }
    }
}
