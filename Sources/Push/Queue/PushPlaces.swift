import SocialGraph

/// The places for concurrent attempts at webhooks: at most one for each webhook, and a bounded share for each user. A
/// user takes a further place only while more are free than the user has, so that a few users with slow webhooks leave
/// places to users who have none.
package struct PushPlaces: Sendable, Equatable {
    private let limit: Int
    private let share: Int
    private var webhooks: Set<Int64> = []
    private var users: [UserID: Int] = [:]

    /// - Parameters:
    ///   - limit: the number of places.
    ///   - share: the largest number of places that the webhooks of one user occupy together.
    package init(limit: Int = .max, share: Int = .max) { (self.limit, self.share) = (limit, share) }

    /// Occupies a place for a message to a webhook of `user`. Returns false if the webhook has one already, or its user
    /// has a full share, or as many places as are free.
    @discardableResult
    package mutating func occupy(_ webhook: Int64, of user: UserID) -> Bool {
        let count = users[user, default: 0]
        guard count < min(share, limit - webhooks.count), webhooks.insert(webhook).inserted else { return false }
        users[user] = count + 1
        return true
    }

    /// Frees the place of a webhook. Without effect if it has none.
    package mutating func release(_ webhook: Int64, of user: UserID) {
        guard webhooks.remove(webhook) != nil, let count = users[user] else { return }
        users[user] = count > 1 ? count - 1 : nil
    }
}
