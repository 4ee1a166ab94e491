// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

public struct FollowedTopic: Codable, Hashable, Sendable {
    /// The name as the caller first wrote it.
    public var name: String
    /// Whether the topic is merged into the home timeline.
    public var inHome: Bool

    public init(name: String, inHome: Bool) {
        self.name = name
        self.inHome = inHome
    }
}

public struct FollowedTopics: Codable, Hashable, Sendable {
    public var items: [FollowedTopic]

    public init(items: [FollowedTopic]) {
        self.items = items
    }
}

public struct TopicFollow: Codable, Hashable, Sendable {
    public var inHome: Bool?

    public init(inHome: Bool? = nil) {
        self.inHome = inHome
    }
}
