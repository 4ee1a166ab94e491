import SocialGraph

/// A user as the author of items, encoded once: `{userId, username, displayName, profilePicUrl}`.
package struct AuthorCard: Sendable {
    package let json: [UInt8]

    package init(json: [UInt8]) { self.json = json }
}

/// A reader's relation to an item and its author.
package struct ViewerState: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let liked = ViewerState(rawValue: 1)
    package static let saved = ViewerState(rawValue: 2)
    package static let reshared = ViewerState(rawValue: 4)
    /// The reader follows the author who published the item.
    package static let following = ViewerState(rawValue: 8)
    /// The reader published the item, or is one of its authors.
    package static let isAuthor = ViewerState(rawValue: 16)
    package static let all: ViewerState = [.liked, .saved, .reshared, .following, .isAuthor]
}

/// The members of an item that differ between readers, or change without the item.
package struct ItemDetails: Sendable {
    package let author: AuthorCard
    /// Nil for anonymous readers.
    package let viewer: ViewerState?

    package init(author: AuthorCard, viewer: ViewerState?) {
        self.author = author
        self.viewer = viewer
    }
}

/// The details of a notification. They concern its latest actor and its post.
package struct NotificationDetails: Sendable {
    /// The cards of the actors, in their order.
    package let actors: [AuthorCard]
    package let viewer: ViewerState
}
