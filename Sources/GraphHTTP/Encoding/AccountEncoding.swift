import Database
import GraphAPI
import SocialGraph

extension JSONWriter {
    /// An account as others see it. `publicURL` makes a stored URL absolute.
    package mutating func account(_ account: Account, _ publicURL: (String) -> String) {
        beginObject()
        members(of: account, publicURL)
        endObject()
    }

    /// An account as its owner sees it.
    mutating func ownAccount(
        _ account: Account, _ preferences: Preferences, isEmailConfirmed: Bool, _ publicURL: (String) -> String
    ) {
        beginObject()
        members(of: account, publicURL)
        member("email", account.email)
        member("emailConfirmed", isEmailConfirmed)
        member("selectedAlgorithms", listing: preferences.selectedAlgorithms) { $0.string($1) }
        key("preferences")
        attributes(preferences.attributes)
        member("homeTopics", preferences.topicsInHome)
        member("homeCommunities", preferences.communitiesInHome)
        member("autoAcceptCollaborations", preferences.autoAcceptance.rawValue)
        endObject()
    }

    private mutating func members(of account: Account, _ publicURL: (String) -> String) {
        member("userId", id: account.id.rawValue)
        member("username", account.username)
        member("displayName", account.displayName)
        member("bio", account.bio)
        member("profilePicUrl", account.pictureURL.map(publicURL))
        member("createdAt", time: account.createdAt)
        member("updatedAt", time: account.updatedAt)
        member("followersCount", account.followersCount)
        member("followingCount", account.followingCount)
        member("postsCount", account.postsCount)
        member("isBusiness", account.isBusiness)
        member("isPrivate", account.isPrivate)
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

    /// `{items: […]}`, for a list without pages; `item` writes one.
    package mutating func items<Item>(_ items: [Item], item: (inout JSONWriter, Item) -> Void) {
        beginObject()
        member("items", listing: items, item)
        endObject()
    }

    /// `{items: […], nextCursor}`; `item` writes one.
    package mutating func page<Items: Sequence>(
        _ items: Items, next: Int64?, item: (inout JSONWriter, Items.Element) -> Void
    ) {
        beginObject()
        pageMembers(items, next: next, item: item)
        endObject()
    }

    /// A page whose cursor is a text.
    mutating func page<Items: Sequence>(
        _ items: Items, next: String?, item: (inout JSONWriter, Items.Element) -> Void
    ) {
        beginObject()
        member("items", listing: items, item)
        member("nextCursor", next)
        endObject()
    }

    /// The members of a page, for an object that has others.
    mutating func pageMembers<Items: Sequence>(
        _ items: Items, next: Int64?, item: (inout JSONWriter, Items.Element) -> Void
    ) {
        member("items", listing: items, item)
        member("nextCursor", id: next)
    }
}
