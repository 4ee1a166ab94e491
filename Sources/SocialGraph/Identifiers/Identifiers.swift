/// An account. 53 bits, see ``IDSequence``.
package struct UserID: Hashable, Comparable, Sendable, RawRepresentable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// A post. Larger ids are newer posts.
package struct PostID: Hashable, Comparable, Sendable, RawRepresentable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// A row of the outbox. Commit order is id order.
package struct JobID: Hashable, Comparable, Sendable, RawRepresentable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// A community.
package struct CommunityID: Hashable, Comparable, Sendable, RawRepresentable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// A stored file.
package struct MediaID: Hashable, Comparable, Sendable, RawRepresentable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// A comment. Larger ids are newer comments.
package struct CommentID: Hashable, Comparable, Sendable, RawRepresentable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// A named collection of saved posts.
package struct CollectionID: Hashable, Comparable, Sendable, RawRepresentable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// A session of a user: what one log-in began.
package struct SessionID: Hashable, Comparable, Sendable, RawRepresentable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// A category or a tag.
package struct TopicID: Hashable, Comparable, Sendable, RawRepresentable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// A labelled segment of a video.
package struct SegmentID: Hashable, Comparable, Sendable, RawRepresentable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

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

/// What a user has reported.
package struct ReportID: Hashable, Comparable, Sendable, RawRepresentable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// A user's appeal against what moderators did.
package struct AppealID: Hashable, Comparable, Sendable, RawRepresentable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// What one order did: what an undo takes back.
package struct BatchID: Hashable, Comparable, Sendable, RawRepresentable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// The number of an entry of the modlog: 1, 2, 3 and so on, without gaps.
package struct ModlogEntryID: Hashable, Comparable, Sendable, RawRepresentable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// A rule that judges posts and comments as they are written.
package struct RuleID: Hashable, Comparable, Sendable, RawRepresentable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// A program outside that judges posts.
package struct ClassifierID: Hashable, Comparable, Sendable, RawRepresentable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}
