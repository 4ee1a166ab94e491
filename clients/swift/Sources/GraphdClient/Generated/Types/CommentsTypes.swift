// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

public struct Comment: Codable, Hashable, Sendable {
    public var commentId: String
    public var postId: String
    /// `null` for a deleted comment.
    public var author: Author?
    public var viewer: Viewer?
    public var content: String?
    public var parentCommentId: String?
    public var depth: Int
    public var repliesCount: Int
    public var deleted: Bool
    public var createdAt: Date
    public var updatedAt: Date
    /// True if it is held for review, invisible to others; absent otherwise.
    public var held: Bool?

    public init(
        commentId: String, postId: String, depth: Int, repliesCount: Int, deleted: Bool, createdAt: Date,
        updatedAt: Date, author: Author? = nil, viewer: Viewer? = nil, content: String? = nil,
        parentCommentId: String? = nil, held: Bool? = nil
    ) {
        self.commentId = commentId
        self.postId = postId
        self.author = author
        self.viewer = viewer
        self.content = content
        self.parentCommentId = parentCommentId
        self.depth = depth
        self.repliesCount = repliesCount
        self.deleted = deleted
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.held = held
    }
}

public struct CommentEdit: Codable, Hashable, Sendable {
    public var content: String

    public init(content: String) {
        self.content = content
    }
}

public struct CommentPage: Codable, Hashable, Sendable {
    public var items: [Comment]
    public var nextCursor: String?

    public init(items: [Comment], nextCursor: String? = nil) {
        self.items = items
        self.nextCursor = nextCursor
    }
}

/// One of the known values, or one that a later server has added.
public struct CommentThread: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let all = Self(rawValue: "all")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.all]
}

public struct NewComment: Codable, Hashable, Sendable {
    public var content: String
    public var parentCommentId: String?

    public init(content: String, parentCommentId: String? = nil) {
        self.content = content
        self.parentCommentId = parentCommentId
    }
}
