import Database
import GraphAPI
import SocialGraph

extension JSONWriter {
    /// As others see it. `publicURL` makes a stored address absolute.
    package mutating func account(_ account: Account, _ publicURL: (String) -> String) {
        beginObject()
        members(of: account, publicURL)
        endObject()
    }

    /// As its owner sees it.
    mutating func ownAccount(_ account: Account, _ preferences: Preferences, _ publicURL: (String) -> String) {
        beginObject()
        members(of: account, publicURL)
        key("email")
        string(account.email)
        key("selectedAlgorithms")
        beginArray()
        for tag in preferences.selectedAlgorithms { string(tag) }
        endArray()
        key("preferences")
        attributes(preferences.attributes)
        key("homeTopics")
        bool(preferences.topicsInHome)
        key("homeCommunities")
        bool(preferences.communitiesInHome)
        key("autoAcceptCollaborations")
        string(preferences.autoAcceptance.rawValue)
        endObject()
    }

    private mutating func members(of account: Account, _ publicURL: (String) -> String) {
        key("userId")
        id(account.id.rawValue)
        key("username")
        string(account.username)
        key("displayName")
        string(account.displayName)
        key("bio")
        string(account.bio)
        key("profilePicUrl")
        string(account.pictureURL.map(publicURL))
        key("createdAt")
        timestamp(milliseconds: account.createdAt)
        key("updatedAt")
        timestamp(milliseconds: account.updatedAt)
        key("followersCount")
        integer(account.followersCount)
        key("followingCount")
        integer(account.followingCount)
        key("postsCount")
        integer(account.postsCount)
        key("isBusiness")
        bool(account.isBusiness)
    }

    /// A typed map, its names in ascending order.
    package mutating func attributes(_ attributes: [String: AttributeValue]) {
        beginObject()
        attributeMembers(attributes)
        endObject()
    }

    package mutating func attributeMembers(_ attributes: [String: AttributeValue]) {
        for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
            key(escaping: name)
            switch value {
            case .text(let text): string(text)
            case .number(let number): self.number(number)
            case .flag(let flag): bool(flag)
            case .list(let entries):
                beginArray()
                for entry in entries { string(entry) }
                endArray()
            }
        }
    }

    /// `{items: […]}`, of a list that comes whole; `item` writes one.
    package mutating func items<Item>(_ items: [Item], item: (inout JSONWriter, Item) -> Void) {
        beginObject()
        key("items")
        beginArray()
        for element in items { item(&self, element) }
        endArray()
        endObject()
    }

    /// `{items: […], nextCursor}`; `item` writes one.
    package mutating func page<Item>(_ items: [Item], next: Int64?, item: (inout JSONWriter, Item) -> Void) {
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
