/// A suspended user is hidden from every read, like one whose account has been deleted, and nothing stored of the user
/// changes, so that reinstating brings back exactly what was there.
///
/// Stored windows hold the reasons of those who are not suspended. Followers are answered from the truth until the job
/// that a suspension or its end leaves has gone through their windows.
extension GraphStore {
    /// To be called in the transaction that has suspended `user`, or reinstated.
    static func suspensionChanged(_ user: UserID, in transaction: any GraphTransaction) throws {
        try enqueue(.refreshFollowers(of: user), in: transaction)
        try transaction.record(GraphChange(.accountModerated, subject: user.rawValue, object: 0))
    }

    static func isSuspended(_ user: UserID, _ reader: any SQLReader) throws -> Bool {
        try reader.exists(suspendedProbe, [.user(user)])
    }

    static let suspendedProbe = "SELECT 1 FROM account WHERE id = ?1 AND suspended_at IS NOT NULL"

    /// All who are suspended, of whom there are few.
    static func suspended(_ reader: any SQLReader) throws -> [UserID] {
        try reader.rows(suspendedQuery, []) { UserID(rawValue: $0.integer(0)) }
    }

    static let suspendedQuery = "SELECT id FROM account WHERE suspended_at IS NOT NULL ORDER BY id"

    /// Throws ``GraphError/accountNotFound`` of users whom others do not see.
    static func requireShown(_ users: [UserID], in reader: any SQLReader) throws {
        for user in users where try !reader.exists(shownProbe, [.user(user)]) { throw GraphError.accountNotFound }
    }

    static let shownProbe = "SELECT 1 FROM account WHERE id = ?1 AND deleted_at IS NULL AND suspended_at IS NULL"

    /// An account as others see it; nil: there is no such user, not any more, or suspended.
    package func shownAccount(_ id: UserID) async throws -> Account? {
        try await database.read { reader in
            try reader.exists(Self.shownProbe, [.user(id)]) ? Self.account(id, reader) : nil
        }
    }

    package func shownAccount(username: String) async throws -> Account? {
        guard let account = try await account(username: username) else { return nil }
        return try await shownAccount(account.id)
    }
}
