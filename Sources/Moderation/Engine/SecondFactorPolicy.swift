import Database
import Sessions
import SocialGraph

/// The roles of the site that are in force only for holders with a second factor.
package enum SecondFactorPolicy: String, Sendable, CaseIterable {
    case none
    case admins
    /// Admins as well.
    case moderators

    /// The setting that holds the policy. The server sets it at its start, and commands of other processes follow it.
    package static let setting = "require_totp"

    fileprivate func concerns(_ role: SiteRole) -> Bool {
        switch self {
        case .none: false
        case .admins: role == .admin
        case .moderators: true
        }
    }
}

extension ModerationStore {
    /// Sets the policy.
    package func requireSecondFactor(_ policy: SecondFactorPolicy) async throws {
        try await SettingStore(database: database).store(policy.rawValue, as: SecondFactorPolicy.setting)
    }

    /// True if `user` has a role that is in force only with a second factor.
    package func requiresSecondFactor(of user: UserID) async throws -> Bool {
        try await database.read { reader in
            guard let role = try Reader(reader).siteRole(of: user) else { return false }
            return try Reader(reader).secondFactorPolicy.concerns(role)
        }
    }
}

extension ModerationStore.Reader {
    fileprivate var secondFactorPolicy: SecondFactorPolicy {
        get throws {
            guard let stored = try SettingStore.Reader(reader).setting(SecondFactorPolicy.setting) else { return .none }
            guard let policy = SecondFactorPolicy(rawValue: stored) else {
                throw DatabaseError.undecodable(
                    SecondFactorPolicy.self, "\(SecondFactorPolicy.setting) = \(stored)")
            }
            return policy
        }
    }

    /// Throws ``ModerationError/secondFactorMissing(_:)`` if the holder of `role` may not use it yet.
    func requireSecondFactor(of user: UserID, with role: SiteRole) throws {
        guard try secondFactorPolicy.concerns(role), try !TOTPStore.Reader(reader).isEnabled(of: user) else { return }
        throw ModerationError.secondFactorMissing(role)
    }
}
