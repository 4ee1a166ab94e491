import Saves
import SocialGraph

/// Reads saved and liked posts. A post hidden from its saver is left out, and returns when it is visible again.
package struct SaveReader: Sendable {
    let saves: SaveStore
    let likes: LikeStore
    let collections: CollectionStore
    let posts: PostReader

    /// A page of `viewer`'s saved posts that `isIncluded`, the latest first.
    package func saves(
        of viewer: UserID, below cursor: Int64?, limit: Int, where isIncluded: (PostFragment) -> Bool = { _ in true }
    ) async throws -> Page<(save: SavedPost, post: PostFragment), Int64> {
        try await Page.filled(below: cursor, limit: limit, place: \.id) { cursor, count in
            try await saves.saves(by: viewer, below: cursor, limit: count)
        } shown: { saves in
            zip(saves, try await posts.shown(saves.map(\.post), to: viewer)).map { save, post in
                post.flatMap { isIncluded($0) ? (save, $0) : nil }
            }
        }
    }

    /// A page of `viewer`'s liked posts, the latest first.
    package func likes(of viewer: UserID, below cursor: Int64?, limit: Int) async throws -> Page<Like, Int64> {
        try await Page.filled(below: cursor, limit: limit, place: \.id) { cursor, count in
            try await likes.likes(by: viewer, below: cursor, limit: count).items
        } shown: { likes in
            zip(likes, try await posts.shown(likes.map(\.post), to: viewer)).map { like, post in
                post == nil ? nil : like
            }
        }
    }

    /// A page of one of `viewer`'s collections, in its order, limited to posts that `isIncluded`. Throws
    /// ``GraphError/collectionNotFound``.
    package func collection(
        _ id: CollectionID, of viewer: UserID, above cursor: Int64?, limit: Int,
        where isIncluded: (PostFragment) -> Bool = { _ in true }
    ) async throws -> Page<(entry: CollectionEntry, post: PostFragment), Int64> {
        try await Page.filled(below: cursor, limit: limit, place: \.position) { cursor, count in
            try await collections.posts(in: id, of: viewer, above: cursor, limit: count)
        } shown: { entries in
            zip(entries, try await posts.shown(entries.map(\.post), to: viewer)).map { entry, post in
                post.flatMap { isIncluded($0) ? (entry, $0) : nil }
            }
        }
    }
}
