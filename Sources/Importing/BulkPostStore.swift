import Audit
import Database
import SocialGraph

/// Publishes many posts at once.
package struct BulkPostStore: Sendable {
    let database: any GraphDatabase
}

extension GraphStore {
    package var bulkPosts: BulkPostStore { BulkPostStore(database: database) }
}

extension BulkPostStore {
    /// The fan-out of an import to the windows that its posts belong in.
    package enum BulkFanout: Sendable {
        /// Pushes each post.
        case pushes
        /// Evicts all windows, which are rebuilt on their next read.
        case evict
    }

    /// Publishes all of `posts` in order, or none of them. The operator vouches that the named collaborators have
    /// accepted. Throws ``GraphError/accountNotFound`` and the errors of invalid collaborators.
    ///
    /// - Parameter note: an entry of the audit to store with them.
    @discardableResult
    package func publish(
        batch posts: [NewPost], fanout: BulkFanout = .pushes, with note: AuditNote? = nil
    ) async throws -> [PostID] {
        try await database.write { transaction in
            if let note { try AuditStore.Writer(transaction).append(note) }
            try AccountStore.Reader(transaction).requireAccounts(Array(Set(posts.map(\.author))))
            // One by one: a post may have topics that one before it has created.
            let ids = try posts.map {
                try PostStore.Writer(transaction).insert($0, isPushed: fanout == .pushes, by: .importer).id
            }
            if fanout == .evict, !ids.isEmpty { try OutboxStore.Writer(transaction).enqueue(.evictAll) }
            return ids
        }
    }
}
