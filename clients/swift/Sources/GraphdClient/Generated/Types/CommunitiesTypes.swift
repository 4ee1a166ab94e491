// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

public struct Community: Codable, Hashable, Sendable {
    public var communityId: String
    public var name: String
    public var description: String
    public var createdAt: Date
    public var membersCount: Int
    /// Whether only members see the posts.
    public var `private`: Bool
    /// Whether only moderators may post.
    public var locked: Bool
    /// Whether the community is read-only: nobody can post, join or comment.
    public var archived: Bool
    /// The caller's role; `null` if the caller is not a member.
    public var role: CommunityRole?
    /// Whether the community is merged into the caller's home timeline; false if the caller is not a member.
    public var inHome: Bool

    public init(
        communityId: String, name: String, description: String, createdAt: Date, membersCount: Int, private: Bool,
        locked: Bool, archived: Bool, inHome: Bool, role: CommunityRole? = nil
    ) {
        self.communityId = communityId
        self.name = name
        self.description = description
        self.createdAt = createdAt
        self.membersCount = membersCount
        self.private = `private`
        self.locked = locked
        self.archived = archived
        self.role = role
        self.inHome = inHome
    }
}

public struct CommunityChange: Codable, Hashable, Sendable {
    public var description: String?
    public var `private`: Bool?

    public init(description: String? = nil, private: Bool? = nil) {
        self.description = description
        self.private = `private`
    }
}

public struct CommunityPage: Codable, Hashable, Sendable {
    public var items: [Community]
    public var nextCursor: String?

    public init(items: [Community], nextCursor: String? = nil) {
        self.items = items
        self.nextCursor = nextCursor
    }
}

/// The caller's role; `null` if the caller is not a member.
public struct CommunityRole: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let owner = Self(rawValue: "owner")
    public static let moderator = Self(rawValue: "moderator")
    public static let member = Self(rawValue: "member")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.owner, .moderator, .member]
}

public struct HomeSwitch: Codable, Hashable, Sendable {
    public var inHome: Bool

    public init(inHome: Bool) {
        self.inHome = inHome
    }
}

public struct JoinRequested: Codable, Hashable, Sendable {
    public var status: JoinRequestedStatus

    public init(status: JoinRequestedStatus) {
        self.status = status
    }
}

/// One of the known values, or one that a later server has added.
public struct JoinRequestedStatus: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let requested = Self(rawValue: "requested")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.requested]
}

public struct Member: Codable, Hashable, Sendable {
    public var userId: String
    public var username: String
    public var role: MemberRole

    public init(userId: String, username: String, role: MemberRole) {
        self.userId = userId
        self.username = username
        self.role = role
    }
}

public struct MemberPage: Codable, Hashable, Sendable {
    public var items: [Member]
    public var nextCursor: String?

    public init(items: [Member], nextCursor: String? = nil) {
        self.items = items
        self.nextCursor = nextCursor
    }
}

/// One of the known values, or one that a later server has added.
public struct MemberRole: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let owner = Self(rawValue: "owner")
    public static let moderator = Self(rawValue: "moderator")
    public static let member = Self(rawValue: "member")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.owner, .moderator, .member]
}

public struct NewCommunity: Codable, Hashable, Sendable {
    /// The name, which is unique regardless of letter case and has no control characters or surrounding white
    /// space.
    public var name: String
    public var description: String?
    /// Whether only members see the posts, and moderators approve new members.
    public var `private`: Bool?

    public init(name: String, description: String? = nil, private: Bool? = nil) {
        self.name = name
        self.description = description
        self.private = `private`
    }
}
