// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

/// One of the known values, or one that a later server has added.
public struct DurationClass: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let short = Self(rawValue: "short")
    public static let medium = Self(rawValue: "medium")
    public static let long = Self(rawValue: "long")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.short, .medium, .long]
}

public struct FoundUsers: Codable, Hashable, Sendable {
    public var items: [Account]

    public init(items: [Account]) {
        self.items = items
    }
}

public struct NewEmbedding: Codable, Hashable, Sendable {
    public var vector: [Double]

    public init(vector: [Double]) {
        self.vector = vector
    }
}

public struct SearchPage: Codable, Hashable, Sendable {
    public var items: [FeedItem]
    /// The `cursor` of the next page; `null` only at the true end.
    public var nextCursor: String?
    /// The corrected words that were searched instead, on the first page; `null` if `q` was not corrected.
    public var corrected: String?

    public init(items: [FeedItem], nextCursor: String? = nil, corrected: String? = nil) {
        self.items = items
        self.nextCursor = nextCursor
        self.corrected = corrected
    }
}

/// One of the known values, or one that a later server has added.
public struct SearchSort: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let relevance = Self(rawValue: "relevance")
    public static let recency = Self(rawValue: "recency")
    public static let popularity = Self(rawValue: "popularity")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.relevance, .recency, .popularity]
}

public struct SimilarPage: Codable, Hashable, Sendable {
    public var items: [FeedItem]
    /// The `cursor` of the next page; `null` only at the true end.
    public var nextCursor: String?

    public init(items: [FeedItem], nextCursor: String? = nil) {
        self.items = items
        self.nextCursor = nextCursor
    }
}

/// Exactly one of `vector` and `postId` is required.
public struct SimilarQuestion: Codable, Hashable, Sendable {
    public var vector: [Double]?
    public var postId: String?
    public var limit: Int?
    public var cursor: String?
    public var category: String?
    /// Tags, of which any may match, or `selected` for those of the caller's profile.
    public var algorithms: JSONValue?
    /// Conditions on attributes, all of which must hold: for a text or a list entry the value (letter case is
    /// ignored), for a number the value or `10..20`, `..20` or `10..`, for a flag `true` or `false`.
    public var attributes: [String: JSONValue]?
    /// A user whose posts are excluded.
    public var excludeAuthor: String?

    public init(
        vector: [Double]? = nil, postId: String? = nil, limit: Int? = nil, cursor: String? = nil,
        category: String? = nil, algorithms: JSONValue? = nil, attributes: [String: JSONValue]? = nil,
        excludeAuthor: String? = nil
    ) {
        self.vector = vector
        self.postId = postId
        self.limit = limit
        self.cursor = cursor
        self.category = category
        self.algorithms = algorithms
        self.attributes = attributes
        self.excludeAuthor = excludeAuthor
    }
}
