import Database
import SocialGraph

/// A post that a user has saved.
package struct SavedPost: Sendable, Equatable {
    /// An id of the common sequence: the time of the save, and its place among the user's saves.
    package let id: Int64
    package let post: PostID

    /// Milliseconds since 1970.
    package var savedAt: Int64 { IDSequence.milliseconds(of: id) }
}

/// Saved posts under a name, in the order that their owner gives them. Collections are private to their owner.
package struct PostCollection: Sendable, Equatable {
    package let id: CollectionID
    package let name: String
    /// Number of posts, including deleted ones until they are purged.
    package let postsCount: Int64
    /// Milliseconds since 1970.
    package let updatedAt: Int64

    package var createdAt: Int64 { IDSequence.milliseconds(of: id.rawValue) }
}

/// A post of a collection, at its place. Smaller comes first.
package struct CollectionEntry: Sendable, Equatable {
    package let position: Int64
    package let post: PostID
}
