extension GraphStore {
    /// Publishes all of `posts`, in their order, or none of them. Each gets its own fan-out job.
    @discardableResult
    package func publish(batch posts: [NewPost]) async throws -> [PostID] {
        try await database.write { transaction in
            try posts.map { try Self.insert($0, in: transaction) }
        }
    }
}
