import Database

/// Requests to follow private accounts, as acts on follows, accounts and blocks leave them. Their owners' lists and
/// decisions are in the privacy module.
extension FollowStore.Reader {
    package static let requestProbe = "SELECT 1 FROM follow_request WHERE requester_id = ?1 AND target_id = ?2"
    static let privateProbe = "SELECT 1 FROM account WHERE id = ?1 AND is_private = 1"
}

extension FollowStore.Writer {
    /// Adds a request that does not exist yet.
    func request(_ follower: UserID, _ followee: UserID) throws {
        try BlockAndMuteStore.Reader(transaction).requireRoom(
            "SELECT COUNT(*) FROM follow_request WHERE requester_id = ?1", [.user(follower)],
            below: SocialGraphLimits.waitingFollowRequests, "waiting follow requests")
        try transaction.execute(
            "INSERT INTO follow_request (requester_id, target_id, position) VALUES (?1, ?2, ?3)",
            [.user(follower), .user(followee), .integer(try transaction.nextID())])
        try NotificationStore.Writer(transaction).notify([followee], .followRequest, subject: 0, by: follower)
    }

    /// Removes a request and its notification; true if there was one.
    package func removeRequest(_ follower: UserID, _ followee: UserID) throws -> Bool {
        let removed = try transaction.executeCounting(
            "DELETE FROM follow_request WHERE requester_id = ?1 AND target_id = ?2",
            [.user(follower), .user(followee)])
        guard removed > 0 else { return false }
        try NotificationStore.Writer(transaction).withdrawNotifications(
            to: followee, of: follower, kind: .followRequest)
        return true
    }
}

extension AccountStore.Writer {
    /// Makes an account private or public. A public account has no requests to decide: those that wait are approved
    /// afterwards, in steps.
    func setPrivate(_ isPrivate: Bool, _ user: UserID) throws {
        try transaction.execute(
            "UPDATE account SET is_private = ?2 WHERE id = ?1", [.user(user), .flag(isPrivate)])
        try transaction.execute(
            isPrivate
                ? "DELETE FROM opened_account WHERE user_id = ?1"
                : """
                INSERT INTO opened_account (user_id) SELECT a.id FROM account a
                WHERE a.id = ?1 AND EXISTS (SELECT 1 FROM follow_request WHERE target_id = a.id)
                ON CONFLICT (user_id) DO NOTHING
                """, [.user(user)])
        try transaction.record(.accountPrivacyChanged(user))
    }
}
