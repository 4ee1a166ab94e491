import Database
import SocialGraph

/// The renditions of stored files. Posts that show a file show its renditions, too: each change invalidates them.
package struct RenditionStore: Sendable {
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

    /// Posts that one transaction invalidates.
    static let postsAtOnce = 1_000
}

extension GraphStore {
    package var renditions: RenditionStore { RenditionStore(database: database) }
}

extension RenditionStore {
    /// Adds a rendition of a file, or replaces the one of its name. Returns all, in the order of their additions.
    /// Throws ``GraphError/mediaNotFound``, and ``GraphError/limitReached(_:)`` (``Rendition/limit``).
    package func put(_ rendition: Rendition, of media: MediaID) async throws -> [Rendition] {
        try await change(media) { renditions in
            if let index = renditions.firstIndex(where: { $0.name == rendition.name }) {
                renditions[index] = rendition
                return
            }
            guard renditions.count < Rendition.limit else {
                throw GraphError.limitReached("\(Rendition.limit) renditions of a file")
            }
            renditions.append(rendition)
        }
    }

    /// Removes a rendition, if there is one of the name. Throws ``GraphError/mediaNotFound``.
    package func remove(_ name: String, of media: MediaID) async throws {
        _ = try await change(media) { $0.removeAll { $0.name == name } }
    }

    private func change(
        _ media: MediaID, _ change: @escaping @Sendable (inout [Rendition]) throws -> Void
    ) async throws -> [Rendition] {
        let (renditions, next) = try await database.write { transaction in
            let before = try Reader(transaction).renditions(of: media)
            var renditions = before
            try change(&renditions)
            guard renditions != before else { return (renditions, PostID?.none) }
            try transaction.execute(
                "UPDATE media SET renditions = ?2 WHERE id = ?1", [.media(media), .optional(renditions.stored)])
            return (renditions, try Writer(transaction).invalidatePosts(showing: media, below: nil))
        }
        var rest = next
        while let cursor = rest {
            rest = try await database.write { try Writer($0).invalidatePosts(showing: media, below: cursor) }
        }
        return renditions
    }
}

extension RenditionStore.Reader {
    /// Throws ``GraphError/mediaNotFound``.
    fileprivate func renditions(of media: MediaID) throws -> [Rendition] {
        let found = try reader.first("SELECT renditions FROM media WHERE id = ?1", [.media(media)]) {
            $0.optionalText(0)
        }
        guard let text = found else { throw GraphError.mediaNotFound }
        return try [Rendition](stored: text)
    }
}

extension RenditionStore.Writer {
    /// Records a change of each of the newest posts below `cursor` that show a file. Returns the next cursor; nil after
    /// the last.
    fileprivate func invalidatePosts(showing media: MediaID, below cursor: PostID?) throws -> PostID? {
        let limit = RenditionStore.postsAtOnce
        let posts = try transaction.rows(
            Self.postsQuery, [.media(media), .integer(cursor?.rawValue ?? .max), .integer(Int64(limit))]
        ) { (id: PostID(rawValue: $0.integer(0)), author: UserID(rawValue: $0.integer(1))) }
        for post in posts { try transaction.record(.postEdited(post.id, author: post.author)) }
        return posts.count < limit ? nil : posts.last?.id
    }

    static let postsQuery = """
        SELECT id, author_id FROM post WHERE media_id = ?1 AND id < ?2 AND deleted_at IS NULL ORDER BY id DESC LIMIT ?3
        """
}
