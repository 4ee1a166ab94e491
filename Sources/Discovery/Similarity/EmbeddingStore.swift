import Database
import SocialGraph

/// Embeddings of posts. All embeddings of a data directory have the dimension set by its operator. An embedding is
/// deleted with its post.
package struct EmbeddingStore: Sendable {
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

extension EmbeddingStore {
    /// Replaces the embedding of the post; allowed for its authors. Throws ``GraphError/postNotFound``,
    /// ``GraphError/notAuthor``, ``GraphError/embeddingDimensionUnset`` and
    /// ``GraphError/dimensionMismatch(expected:given:)``.
    package func storeEmbedding(_ embedding: Embedding, of post: PostID, by user: UserID) async throws {
        try await storeEmbeddings([PostEmbedding(post: post, embedding: embedding)], by: user)
    }

    /// Replaces the embeddings of several posts: all or none. Throws the same errors.
    package func storeEmbeddings(_ embeddings: [PostEmbedding], by user: UserID) async throws {
        try await database.write { transaction in
            try Writer(transaction).store(embeddings, by: user)
        }
    }

    /// Deletes the embedding of the post; allowed for its authors. Idempotent. Throws ``GraphError/postNotFound`` and
    /// ``GraphError/notAuthor``.
    package func deleteEmbedding(of post: PostID, by user: UserID) async throws {
        try await database.write { transaction in
            try Reader(transaction).requireAuthor(of: post, user)
            guard try transaction.executeCounting(Self.deleteEmbeddingStatement, [.post(post)]) > 0 else { return }
            try transaction.record(.embeddingChanged(post, author: user))
        }
    }

    static let deleteEmbeddingStatement = "DELETE FROM embedding WHERE post_id = ?1"

    /// Returns the embedding to one of the post's authors. Throws ``GraphError/postNotFound``, ``GraphError/notAuthor``
    /// and ``GraphError/embeddingNotFound``.
    package func embedding(of post: PostID, for user: UserID) async throws -> Embedding {
        try await database.read { reader in
            try Reader(reader).requireAuthor(of: post, user)
            guard let embedding = try Reader(reader).embedding(of: post) else { throw GraphError.embeddingNotFound }
            return embedding
        }
    }

    /// Returns the embedding; nil if the post has none.
    package func embedding(of post: PostID) async throws -> Embedding? {
        try await database.read { try Reader($0).embedding(of: post) }
    }

    /// Calls `body` with each of `posts` and its embedding, or nil without one, on one snapshot.
    package func foldEmbeddings<Result: Sendable>(
        of posts: [PostID], into initial: Result,
        _ body: @escaping @Sendable (inout Result, PostID, Embedding?) -> Void
    ) async throws -> Result {
        try await database.read { reader in
            var result = initial
            // One after the other, so that not all embeddings are in memory.
            var place = 0
            try reader.fetch(posts.map { SQLQuery(Reader.embeddingQuery, [.post($0)]) }) { index, row in
                for post in posts[place..<index] { body(&result, post, nil) }
                body(&result, posts[index], try Embedding(bytes: row.blob(0)))
                place = index + 1
                return false
            }
            for post in posts[place...] { body(&result, post, nil) }
            return result
        }
    }

    /// Returns up to `limit` embeddings of posts above `cursor`, by post id.
    package func embeddings(above cursor: PostID, limit: Int) async throws -> [PostEmbedding] {
        try await database.read { reader in
            try reader.rows(
                Self.embeddingsQuery, [.post(cursor), .integer(Int64(limit))], PostEmbedding.init(row:))
        }
    }

    static let embeddingsQuery =
        "SELECT post_id, vector FROM embedding WHERE post_id > ?1 ORDER BY post_id LIMIT ?2"

    /// Returns the embeddings of the posts with `user` among their authors, latest first.
    package func ownEmbeddings(
        of user: UserID, below cursor: Int64?, limit: Int
    ) async throws -> Page<PostEmbedding, Int64> {
        try await database.read { reader in
            let rows = try reader.rows(
                Self.ownEmbeddingsQuery, [.user(user), .integer(cursor ?? .max), .integer(Int64(limit + 1))],
                PostEmbedding.init(row:))
            return Page(rows: rows, limit: limit) { $0.post.rawValue }
        }
    }

    static let ownEmbeddingsQuery = """
        SELECT ap.post_id, e.vector FROM author_post ap JOIN embedding e ON e.post_id = ap.post_id
        WHERE ap.author_id = ?1 AND ap.post_id < ?2 ORDER BY ap.post_id DESC LIMIT ?3
        """
}

extension EmbeddingStore.Reader {
    static let embeddingQuery = "SELECT vector FROM embedding WHERE post_id = ?1"

    func embedding(of post: PostID) throws -> Embedding? {
        try reader.first(Self.embeddingQuery, [.post(post)]) { try Embedding(bytes: $0.blob(0)) }
    }

    func requireAuthor(of post: PostID, _ user: UserID) throws {
        let facts = try reader.exist(Self.authorProbes(of: post, user))
        guard facts[0] else { throw GraphError.postNotFound }
        guard facts[1] else { throw GraphError.notAuthor }
    }

    /// Queries that find a row if the post is live, and if `user` is among its authors.
    fileprivate static func authorProbes(of post: PostID, _ user: UserID) -> [SQLQuery] {
        [
            PostStore.Reader.liveProbe(post),
            SQLQuery("SELECT 1 FROM author_post WHERE author_id = ?1 AND post_id = ?2", [.user(user), .post(post)]),
        ]
    }
}

extension EmbeddingStore.Writer {
    /// Removes the embedding of a deleted post.
    func deleteEmbedding(of post: PostID) throws {
        try transaction.execute(EmbeddingStore.deleteEmbeddingStatement, [.post(post)])
    }

    /// Throws the error of the first embedding that is refused.
    fileprivate func store(_ embeddings: [PostEmbedding], by user: UserID) throws {
        let expected = try stored.embeddingDimension()
        let facts = try transaction.exist(
            embeddings.flatMap { EmbeddingStore.Reader.authorProbes(of: $0.post, user) })
        for (index, one) in embeddings.enumerated() {
            guard facts[2 * index] else { throw GraphError.postNotFound }
            guard facts[2 * index + 1] else { throw GraphError.notAuthor }
            guard let expected else { throw GraphError.embeddingDimensionUnset }
            guard one.embedding.dimension == expected else {
                throw GraphError.dimensionMismatch(expected: expected, given: one.embedding.dimension)
            }
            try transaction.execute(
                """
                INSERT INTO embedding (post_id, vector) VALUES (?1, ?2)
                ON CONFLICT (post_id) DO UPDATE SET vector = excluded.vector
                """, [.post(one.post), .blob(one.embedding.bytes)])
            try transaction.record(.embeddingChanged(one.post, author: user))
        }
    }
}

extension PostEmbedding {
    fileprivate init(row: any SQLRow) throws {
        self.init(post: PostID(rawValue: row.integer(0)), embedding: try Embedding(bytes: row.blob(1)))
    }
}
