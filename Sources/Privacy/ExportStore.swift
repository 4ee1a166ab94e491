import Database
import SocialGraph

/// Queries for a user's own export: everything that names the user, page by page, the latest first.
package struct ExportStore: Sendable {
    let database: any GraphDatabase
}

extension ExportStore {
    /// Posts of which `user` is an author, including those that moderators have taken down.
    package func ownPosts(of user: UserID, below cursor: Int64?, limit: Int) async throws -> Page<Post, Int64> {
        try await database.read { reader in
            let below = cursor.map(FeedPosition.init(rawValue:))
            let ids = try FeedStore.Reader(reader).authorFeed(of: user, below: below, limit: limit + 1)
            let posts = try PostStore.Reader(reader).posts(ids.prefix(limit), PostStore.Reader.storedPosts)
            return Page(items: posts, next: ids.count > limit ? ids[limit - 1].rawValue : nil)
        }
    }

    package func reshares(by user: UserID, below cursor: Int64?, limit: Int) async throws -> Page<FeedEntry, Int64> {
        try await page(
            FeedStore.Reader.resharesQuery, of: user, below: cursor, limit: limit, cursor: { $0.position.rawValue }
        ) {
            FeedEntry(position: FeedPosition(rawValue: $0.integer(0)), post: PostID(rawValue: $0.integer(1)))
        }
    }

    /// Posts of others on which `user` is a collaborator or was invited to be one.
    package func collaborations(
        of user: UserID, below cursor: Int64?, limit: Int
    ) async throws -> Page<OwnCollaboration, Int64> {
        try await page(
            """
            SELECT post_id, status FROM post_collaborator WHERE user_id = ?1 AND post_id < ?2
            ORDER BY post_id DESC LIMIT ?3
            """, of: user, below: cursor, limit: limit, cursor: { $0.post.rawValue }
        ) {
            OwnCollaboration(
                post: PostID(rawValue: $0.integer(0)), status: try $0.choice(1))
        }
    }

    /// Memberships, bans and requests to join, in this order.
    package func communityTies(of user: UserID) async throws -> [CommunityTie] {
        try await database.read { reader in
            try reader.rows(
                of: CommunityTie.queries.map { SQLQuery($0, [.user(user)]) }, CommunityTie.init(row:)
            ).flatMap(\.self)
        }
    }

    /// Files that `user` has uploaded.
    package func ownFiles(of user: UserID, below cursor: Int64?, limit: Int) async throws -> Page<OwnFile, Int64> {
        try await page(
            """
            SELECT id, content_type, file_name, bytes, created_at FROM media WHERE owner_id = ?1 AND id < ?2
            ORDER BY id DESC LIMIT ?3
            """, of: user, below: cursor, limit: limit, cursor: { $0.id.rawValue }
        ) {
            OwnFile(
                id: MediaID(rawValue: $0.integer(0)), contentType: $0.text(1), fileName: $0.text(2),
                bytes: $0.integer(3), createdAt: $0.integer(4))
        }
    }

    /// The identities of `user` at OpenID Connect issuers.
    package func identities(of user: UserID) async throws -> [(issuer: String, subject: String)] {
        try await database.read { reader in
            try reader.rows("SELECT issuer, subject FROM identity WHERE user_id = ?1", [.user(user)]) {
                ($0.text(0), $0.text(1))
            }
        }
    }

    private func page<Item: Sendable>(
        _ query: String, of user: UserID, below cursor: Int64?, limit: Int,
        cursor place: @escaping @Sendable (Item) -> Int64, _ decode: @escaping @Sendable (any SQLRow) throws -> Item
    ) async throws -> Page<Item, Int64> {
        try await database.read { reader in
            let arguments: [SQLValue] = [.user(user), .integer(cursor ?? .max), .integer(Int64(limit + 1))]
            return Page(rows: try reader.rows(query, arguments, decode), limit: limit, cursor: place)
        }
    }
}

/// A post that a user collaborates on.
package struct OwnCollaboration: Sendable, Equatable {
    package let post: PostID
    package let status: Collaborator.Status
}

/// An uploaded file.
package struct OwnFile: Sendable, Equatable {
    package let id: MediaID
    package let contentType: String
    package let fileName: String
    package let bytes: Int64
    /// Milliseconds since 1970.
    package let createdAt: Int64
}
