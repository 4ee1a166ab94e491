import Database
import SocialGraph

/// Push settings and reminders of users.
package struct PushSettingStore: Sendable {
    let database: any GraphDatabase
}

extension PushSettingStore {
    /// Returns the settings. The default pushes every kind at any hour.
    package func pushSettings(of user: UserID) async throws -> PushSettings {
        try await database.read { reader in
            try reader.first(Self.pushSettingsQuery, [.user(user)], PushSettings.init(row:)) ?? PushSettings()
        }
    }

    static let pushSettingsQuery = """
        SELECT refused_kinds, uses_topic, quiet_from, quiet_until, time_zone FROM push_setting WHERE user_id = ?1
        """

    /// Throws ``GraphError/accountNotFound``.
    package func setPushSettings(_ settings: PushSettings, of user: UserID) async throws {
        try await database.write { transaction in
            try AccountStore.Reader(transaction).requireAccounts([user])
            try transaction.execute(
                """
                INSERT INTO push_setting (user_id, refused_kinds, uses_topic, quiet_from, quiet_until, time_zone)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                ON CONFLICT (user_id) DO UPDATE SET refused_kinds = excluded.refused_kinds,
                    uses_topic = excluded.uses_topic, quiet_from = excluded.quiet_from,
                    quiet_until = excluded.quiet_until, time_zone = excluded.time_zone
                """,
                [
                    .user(user), .integer(PushKindCoding.bits(of: settings.refused)), .flag(settings.usesTopic),
                    settings.quietHours.map { .integer(Int64($0.start)) } ?? .null,
                    settings.quietHours.map { .integer(Int64($0.end)) } ?? .null,
                    .optional(settings.quietHours?.timeZone),
                ])
        }
    }
}

extension PushSettings {
    fileprivate init(row: any SQLRow) throws {
        var quiet: QuietHours?
        if let start = row.optionalInteger(2), let end = row.optionalInteger(3), let zone = row.optionalText(4) {
            // Quiet hours are off if the system no longer knows the zone.
            quiet = QuietHours(start: Int(start), end: Int(end), timeZone: zone)
        }
        self.init(
            refused: try PushKindCoding.kinds(in: row.integer(0)), usesTopic: row.integer(1) != 0, quietHours: quiet)
    }
}
