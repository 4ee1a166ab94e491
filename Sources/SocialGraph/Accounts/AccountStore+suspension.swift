import Database

/// A suspended user is hidden from every read, like a deleted account. Nothing stored of the user changes, so
/// reinstating restores exactly the former state.
///
/// Stored windows hold reasons of users who are not suspended. A suspension, or its end, leaves a job that goes through
/// the followers' windows; until it is done, followers are answered from the database.
extension AccountStore.Reader {
    func isSuspended(_ user: UserID) throws -> Bool { try reader.exists(Self.suspendedProbe, [.user(user)]) }

    /// `users` without those who are suspended.
    func withoutSuspended(_ users: [UserID]) throws -> [UserID] {
        let areSuspended = try reader.exist(users.map { SQLQuery(Self.suspendedProbe, [.user($0)]) })
        return zip(users, areSuspended).filter { !$0.1 }.map(\.0)
    }

    static let suspendedProbe = "SELECT 1 FROM account WHERE id = ?1 AND suspended_at IS NOT NULL"

    /// All suspended users; there are few.
    package func suspended() throws -> [UserID] {
        try reader.rows(Self.suspendedQuery, []) { UserID(rawValue: $0.integer(0)) }
    }

    static let suspendedQuery = "SELECT id FROM account WHERE suspended_at IS NOT NULL ORDER BY id"
}

extension AccountStore.Writer {
    /// Records a suspension or its end. Call it in the transaction that suspends or reinstates `user`.
    package func suspensionChanged(_ user: UserID) throws {
        try OutboxStore.Writer(transaction).enqueue(.rebuildFollowers(of: user))
        try transaction.record(.accountModerated(user))
    }
}
