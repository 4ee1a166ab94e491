// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

public struct CollectionList: Codable, Hashable, Sendable {
    public var items: [PostCollection]

    public init(items: [PostCollection]) {
        self.items = items
    }
}

public struct CollectionOrder: Codable, Hashable, Sendable {
    public var postIds: [String]

    public init(postIds: [String]) {
        self.postIds = postIds
    }
}

public struct NewCollection: Codable, Hashable, Sendable {
    public var name: String

    public init(name: String) {
        self.name = name
    }
}

public struct PostCollection: Codable, Hashable, Sendable {
    public var collectionId: String
    public var name: String
    public var postsCount: Int
    public var createdAt: Date
    public var updatedAt: Date

    public init(collectionId: String, name: String, postsCount: Int, createdAt: Date, updatedAt: Date) {
        self.collectionId = collectionId
        self.name = name
        self.postsCount = postsCount
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

public struct SavePage: Codable, Hashable, Sendable {
    public var items: [SavedItem]
    public var nextCursor: String?

    public init(items: [SavedItem], nextCursor: String? = nil) {
        self.items = items
        self.nextCursor = nextCursor
    }
}

/// A saved post and the time of the save.
public struct SavedItem: Codable, Hashable, Sendable {
    public var postId: String
    public var savedAt: Date

    public init(postId: String, savedAt: Date) {
        self.postId = postId
        self.savedAt = savedAt
    }
}
