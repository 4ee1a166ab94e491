// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

public struct Like: Codable, Hashable, Sendable {
    public var postId: String
    public var likedAt: Date

    public init(postId: String, likedAt: Date) {
        self.postId = postId
        self.likedAt = likedAt
    }
}

public struct LikePage: Codable, Hashable, Sendable {
    public var items: [Like]
    public var nextCursor: String?

    public init(items: [Like], nextCursor: String? = nil) {
        self.items = items
        self.nextCursor = nextCursor
    }
}
