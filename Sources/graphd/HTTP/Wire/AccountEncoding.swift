import GraphAPI
import SocialGraph

extension JSONWriter {
    /// `includingPrivate`: also what only the owner may see.
    mutating func account(_ account: Account, includingPrivate: Bool) {
        beginObject()
        key("userId")
        id(account.id.rawValue)
        key("username")
        string(account.username)
        if includingPrivate {
            key("email")
            string(account.email)
        }
        key("followersCount")
        integer(account.followersCount)
        key("followingCount")
        integer(account.followingCount)
        key("postsCount")
        integer(account.postsCount)
        key("createdAt")
        timestamp(milliseconds: account.createdAt)
        endObject()
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
