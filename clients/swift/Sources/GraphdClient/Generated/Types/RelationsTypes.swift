// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

/// The muted parts, and an end. At least one part is true, and omitted parts are not muted; with nothing but an
/// end, all are.
public struct MuteKinds: Codable, Hashable, Sendable {
    /// Posts by the user.
    public var posts: Bool?
    /// Reshares by the user, as a reason for a post to be in the home timeline.
    public var reshares: Bool?
    public var notifications: Bool?
    /// The time at which it ends. Not together with `duration`.
    public var expiresAt: Date?
    /// The seconds for which it holds.
    public var duration: Int?

    public init(
        posts: Bool? = nil, reshares: Bool? = nil, notifications: Bool? = nil, expiresAt: Date? = nil,
        duration: Int? = nil
    ) {
        self.posts = posts
        self.reshares = reshares
        self.notifications = notifications
        self.expiresAt = expiresAt
        self.duration = duration
    }
}

public struct MutePage: Codable, Hashable, Sendable {
    public var items: [Mute]
    public var nextCursor: String?

    public init(items: [Mute], nextCursor: String? = nil) {
        self.items = items
        self.nextCursor = nextCursor
    }
}

public struct MutedWordList: Codable, Hashable, Sendable {
    public var items: [MutedWord]

    public init(items: [MutedWord]) {
        self.items = items
    }
}

public struct NewMutedWord: Codable, Hashable, Sendable {
    public var word: String
    /// The default is true.
    public var wholeWord: Bool?
    /// The time at which it ends. Not together with `duration`.
    public var expiresAt: Date?
    /// The seconds for which it holds.
    public var duration: Int?

    public init(word: String, wholeWord: Bool? = nil, expiresAt: Date? = nil, duration: Int? = nil) {
        self.word = word
        self.wholeWord = wholeWord
        self.expiresAt = expiresAt
        self.duration = duration
    }
}
