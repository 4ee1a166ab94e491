import Database

/// A suspended user is hidden from every read, like one whose account has been deleted, and nothing stored of the user
/// changes, so that reinstating brings back exactly what was there.
///
/// Stored windows hold the reasons of those who are not suspended. Followers are answered from the truth until the job
/// that a suspension or its end leaves has gone through their windows.
extension AccountStore.Reader {
    func isSuspended(_ user: UserID) throws -> Bool {
        try reader.exists(Self.suspendedProbe, [.user(user)])
    }

    static let suspendedProbe = "SELECT 1 FROM account WHERE id = ?1 AND suspended_at IS NOT NULL"

    /// All who are suspended, of whom there are few.
    package func suspended() throws -> [UserID] {
        try reader.rows(Self.suspendedQuery, []) { UserID(rawValue: $0.integer(0)) }
    }

    static let suspendedQuery = "SELECT id FROM account WHERE suspended_at IS NOT NULL ORDER BY id"
}

extension AccountStore.Writer {
    /// To be called in the transaction that has suspended `user`, or reinstated.
    package func suspensionChanged(_ user: UserID) throws {
        try OutboxStore.Writer(transaction).enqueue(.refreshFollowers(of: user))
        try transaction.record(.accountModerated(user))
    }
}
