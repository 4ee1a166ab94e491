// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

public struct FollowRequested: Codable, Hashable, Sendable {
    public var status: FollowRequestedStatus

    public init(status: FollowRequestedStatus) {
        self.status = status
    }
}

/// One of the known values, or one that a later server has added.
public struct FollowRequestedStatus: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let requested = Self(rawValue: "requested")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.requested]
}

public struct UserPage: Codable, Hashable, Sendable {
    public var items: [Author]
    public var nextCursor: String?

    public init(items: [Author], nextCursor: String? = nil) {
        self.items = items
        self.nextCursor = nextCursor
    }
}
