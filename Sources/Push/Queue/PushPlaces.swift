import SocialGraph

/// The places for concurrent attempts at webhooks: at most one for each webhook, and a bounded share for each user.
package struct PushPlaces: Sendable, Equatable {
    private let share: Int
    private var webhooks: Set<Int64> = []
    private var users: [UserID: Int] = [:]

    /// - Parameter share: the largest number of places that the webhooks of one user occupy together.
    package init(share: Int = .max) { self.share = share }

    /// Occupies a place for a message to a webhook of `user`. Returns false if the webhook has one already, or its user
    /// has a full share.
    @discardableResult
    package mutating func occupy(_ webhook: Int64, of user: UserID) -> Bool {
        guard users[user, default: 0] < share, webhooks.insert(webhook).inserted else { return false }
        users[user, default: 0] += 1
        return true
    }

    /// Frees the place of a webhook. Without effect if it has none.
    package mutating func release(_ webhook: Int64, of user: UserID) {
        guard webhooks.remove(webhook) != nil, let count = users[user] else { return }
        users[user] = count > 1 ? count - 1 : nil
    }
}
