import Database

/// The pending work of the outbox for one reader.
package struct PendingWork: Sendable {
    /// A job rewrites the reader's window as a whole.
    package let touchesViewer: Bool
    /// Posts that are yet to be pushed or removed.
    package let posts: Set<PostID>
}

extension OutboxStore {
    /// The members of `posts` that have a job in the outbox, and whether the window of `viewer` as a whole has one.
    package func pendingWork(for viewer: UserID, posts: [PostID]) async throws -> PendingWork {
        try await database.read { reader in
            var touched = try reader.exists(Self.rebuildProbe, [.user(viewer)])
            touched = try touched || reader.exists(Self.followersWorkProbe, [.user(viewer)])
            try reader.forEach(Self.listedWorkQuery, []) { row in
                // A job without a list concerns everybody.
                touched = try touched || row.optionalBlob(0).map(IDListCoding.decode)?.contains(viewer) ?? true
                return !touched
            }
            let pending = try reader.exist(
                posts.map { SQLQuery("SELECT 1 FROM outbox WHERE post_id = ?1", [.post($0)]) })
            return PendingWork(touchesViewer: touched, posts: Set(zip(posts, pending).filter(\.1).map(\.0)))
        }
    }

    private typealias Kind = OutboxJob.Work.Kind

    static let rebuildProbe = "SELECT 1 FROM outbox WHERE user_id = ?1 AND kind = \(Kind.rebuild.literal)"
    static let listedWorkQuery = """
        SELECT viewers FROM outbox
        WHERE kind IN (\(Kind.evict.literal), \(Kind.evictAll.literal), \(Kind.build.literal))
        """
    static let followersWorkProbe = """
        SELECT 1 FROM outbox o WHERE o.kind = \(Kind.rebuildFollowers.literal) AND (o.user_id = ?1
            OR EXISTS (SELECT 1 FROM follow f WHERE f.follower_id = ?1 AND f.followee_id = o.user_id))
        LIMIT 1
        """
}
