import SocialGraph

/// Saved posts. What is not shown to its saver any more is left out, and is back when it is shown again.
extension TimelineReader {
    /// A page of what `viewer` has saved, the latest first.
    package func saves(
        of viewer: UserID, below cursor: Int64?, limit: Int
    ) async throws -> Page<(save: SavedPost, post: PostFragment), Int64> {
        try await Self.page(below: cursor, limit: limit, place: \.id) { cursor, count in
            try await graph.saves(by: viewer, below: cursor, limit: count)
        } shown: { saves in
            zip(saves, try await shown(saves.map(\.post), to: viewer)).map { save, post in post.map { (save, $0) } }
        }
    }

    /// A page of one of `viewer`'s collections, in its order. Throws ``GraphError/collectionNotFound``.
    package func collection(
        _ id: CollectionID, of viewer: UserID, above cursor: Int64?, limit: Int
    ) async throws -> Page<(entry: CollectionEntry, post: PostFragment), Int64> {
        try await Self.page(below: cursor, limit: limit, place: \.position) { cursor, count in
            try await graph.posts(in: id, of: viewer, above: cursor, limit: count)
        } shown: { entries in
            zip(entries, try await shown(entries.map(\.post), to: viewer)).map { entry, post in
                post.map { (entry, $0) }
            }
        }
    }
}
