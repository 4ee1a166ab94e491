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
    /// What an import leaves to be done with the windows that its posts belong in.
    package enum BulkFanout: Sendable {
        /// Each post is pushed.
        case pushes
        /// All windows are dropped, to be built when they are next asked for.
        case drop
    }

    /// Publishes all of `posts`, in their order, or none of them, on the operator's word: the collaborators that they
    /// name have accepted.
    /// Throws ``GraphError/accountNotFound`` and what collaborators can be refused for.
    @discardableResult
    package func publish(batch posts: [NewPost], fanout: BulkFanout = .pushes) async throws -> [PostID] {
        try await database.write { transaction in
            try AccountStore.Reader(transaction).requireAccounts(Array(Set(posts.map(\.author))))
            let ids = try posts.map {
                try PostStore.Writer(transaction).insert($0, isPushed: fanout == .pushes, by: .importer)
            }
            if fanout == .drop, !ids.isEmpty { try OutboxStore.Writer(transaction).enqueue(.dropAll) }
            return ids
        }
    }
}
