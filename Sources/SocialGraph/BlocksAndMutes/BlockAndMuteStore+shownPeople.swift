import Database

/// The visibility rule for people, as ``VisibilityRule`` is for posts: it decides whom a viewer sees in lists, and
/// whose profile, posts and connections the viewer can open. It is a condition of the statements behind the lists, so
/// that they page by keyset.
extension BlockAndMuteStore {
    /// A condition for the account `account` to appear in a list for the viewer `viewer` (a parameter; NULL: nobody in
    /// particular): not deleted, not suspended, no block between the two, and silenced only if the viewer follows.
    static func listed(_ account: String, to viewer: String) -> String {
        """
        \(account).deleted_at IS NULL AND \(account).suspended_at IS NULL AND (\(viewer) IS NULL OR (
            NOT EXISTS (SELECT 1 FROM block own WHERE own.blocker_id = \(viewer) AND own.blocked_id = \(account).id)
            AND NOT EXISTS (SELECT 1 FROM block other
                WHERE other.blocker_id = \(account).id AND other.blocked_id = \(viewer))
            AND (\(account).silenced_at IS NULL OR \(account).id = \(viewer) OR EXISTS (
                SELECT 1 FROM follow met WHERE met.follower_id = \(viewer) AND met.followee_id = \(account).id))))
        """
    }

    /// Throws ``GraphError/accountNotFound`` for a user whom `viewer` cannot open: deleted, suspended, or one who has
    /// blocked the viewer. A user whom the viewer has blocked can be opened, to be unblocked.
    package func requireShown(_ user: UserID, to viewer: UserID? = nil) async throws {
        try await database.read { try Reader($0).requireShown([user], to: viewer) }
    }

    /// An account as `viewer` sees it; nil: the user does not exist, was deleted or suspended, or has blocked the
    /// viewer.
    package func shownAccount(_ id: UserID, to viewer: UserID?) async throws -> Account? {
        try await database.read { reader in
            try Reader(reader).isShown(id, to: viewer) ? AccountStore.Reader(reader).account(id) : nil
        }
    }

    package func shownAccount(username: String, to viewer: UserID?) async throws -> Account? {
        guard let account = try await AccountStore(database: database).account(username: username) else {
            return nil
        }
        return try await shownAccount(account.id, to: viewer)
    }
}

extension BlockAndMuteStore.Reader {
    func requireShown(_ users: [UserID], to viewer: UserID? = nil) throws {
        let shown = try reader.exist(users.map { Self.shownProbe($0, to: viewer) })
        guard shown.allSatisfy(\.self) else { throw GraphError.accountNotFound }
    }

    /// A query that finds a row if `user` is shown to `viewer`.
    package static func shownProbe(_ user: UserID, to viewer: UserID?) -> SQLQuery {
        SQLQuery(shownProbe, [.user(user), .optional(viewer)])
    }

    func isShown(_ user: UserID, to viewer: UserID?) throws -> Bool {
        try reader.exists(Self.shownProbe, [.user(user), .optional(viewer)])
    }

    static let shownProbe = """
        SELECT 1 FROM account WHERE id = ?1 AND deleted_at IS NULL AND suspended_at IS NULL
            AND NOT EXISTS (SELECT 1 FROM block WHERE blocker_id = ?1 AND blocked_id = ?2)
        """
}

extension SQLValue {
    package static func optional(_ user: UserID?) -> SQLValue { user.map(SQLValue.user) ?? .null }
}
