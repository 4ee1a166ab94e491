import GraphAPI
import SocialGraph

/// What a user has set for the own timelines.
struct Preferences: Sendable {
    let selectedAlgorithms: [String]
    /// Whether followed topics, and joined communities, are merged into the home timeline.
    let home: (topics: Bool, communities: Bool)
}

extension JSONWriter {
    /// As others see it.
    mutating func account(_ account: Account) {
        beginObject()
        names(of: account)
        counts(of: account)
        endObject()
    }

    /// As its owner sees it.
    mutating func ownAccount(_ account: Account, _ preferences: Preferences) {
        beginObject()
        names(of: account)
        key("email")
        string(account.email)
        counts(of: account)
        key("selectedAlgorithms")
        beginArray()
        for tag in preferences.selectedAlgorithms { string(tag) }
        endArray()
        key("homeTopics")
        bool(preferences.home.topics)
        key("homeCommunities")
        bool(preferences.home.communities)
        endObject()
    }

    private mutating func names(of account: Account) {
        key("userId")
        id(account.id.rawValue)
        key("username")
        string(account.username)
    }

    private mutating func counts(of account: Account) {
        key("followersCount")
        integer(account.followersCount)
        key("followingCount")
        integer(account.followingCount)
        key("postsCount")
        integer(account.postsCount)
        key("createdAt")
        timestamp(milliseconds: account.createdAt)
    }

    mutating func session(_ user: UserID, _ session: (token: String, expiresAtMilliseconds: Int64)) {
        beginObject()
        key("userId")
        id(user.rawValue)
        key("token")
        string(session.token)
        key("expiresAt")
        timestamp(milliseconds: session.expiresAtMilliseconds)
        endObject()
    }

    /// `{items: […], nextCursor}`; `item` writes one.
    mutating func page<Item>(_ items: [Item], next: Int64?, item: (inout JSONWriter, Item) -> Void) {
        beginObject()
        key("items")
        beginArray()
        for element in items { item(&self, element) }
        endArray()
        key("nextCursor")
        if let next { id(next) } else { null() }
        endObject()
    }
}
