extension GraphStore {
    /// Publishes all of `posts`, in their order, or none of them. Each gets its own fan-out job.
    /// Throws ``GraphError/accountNotFound`` and what collaborators can be refused for.
    @discardableResult
    package func publish(batch posts: [NewPost]) async throws -> [PostID] {
        try await database.write { transaction in
            try Self.requireAccounts(Array(Set(posts.map(\.author))), in: transaction)
            return try posts.map { try Self.insert($0, in: transaction) }
        }
    }
}
