import Database

/// A place in a timeline: the id of the post, or of the reshare by which a reader reaches it. Larger is newer.
package struct FeedPosition: Hashable, Comparable, Sendable, RawRepresentable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
    package init(_ post: PostID) { rawValue = post.rawValue }
    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
    /// Below every entry.
    package static let beginning = FeedPosition(rawValue: 0)
    /// Above every entry.
    package static let end = FeedPosition(rawValue: .max)
}

/// A post at its place in a timeline.
package struct FeedEntry: Hashable, Sendable {
    package let position: FeedPosition
    package let post: PostID

    package init(position: FeedPosition, post: PostID) {
        self.position = position
        self.post = post
    }

    /// A post at its own id: reached by author, topic or community.
    package init(_ post: PostID) { self.init(position: FeedPosition(post), post: post) }

    /// Reached by a reshare, whose id the position is.
    package var isReshare: Bool { position.rawValue != post.rawValue }
}
