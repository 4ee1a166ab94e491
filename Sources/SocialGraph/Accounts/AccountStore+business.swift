import Database

extension AccountStore {
    /// Returns whether `user` has a business account; false if there is no such user.
    package func isBusiness(_ user: UserID) async throws -> Bool {
        try await database.read { try $0.exists(Self.businessProbe, [.user(user)]) }
    }

    static let businessProbe = "SELECT 1 FROM account WHERE id = ?1 AND is_business = 1 AND deleted_at IS NULL"
}
