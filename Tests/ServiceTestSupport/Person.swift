import Database
import SocialGraph

/// A user of a server, with a token issued beside it.
package struct Person: Sendable, Hashable {
    package let id: UserID
    package let username: String
    package let token: String

    package init(id: UserID, username: String, token: String) {
        (self.id, self.username, self.token) = (id, username, token)
    }

    package var path: String { "/v1/users/\(id.rawValue)" }
}
