import Database
import SocialGraph

/// Notifies users of decisions that concern them: authors, reporters, appellants, members and accounts.
package struct NoticeStore: Sendable {
    let database: any GraphDatabase

    /// Writes in one transaction.
    struct Writer {
        let transaction: any GraphTransaction
        init(_ transaction: any GraphTransaction) { self.transaction = transaction }
    }
}

extension NoticeStore {
    /// The notice of each of `notifications`, given as kind and subject; nil for one of another kind. At most one round
    /// trip, and none without a notice.
    package func notices(
        _ notifications: [(kind: NotificationKind, subject: Int64)]
    ) async throws -> [ModerationNotice?] {
        let entries = notifications.map { $0.kind == .moderation ? ModlogEntryID(rawValue: $0.subject) : nil }
        let asked = entries.compactMap(\.self)
        guard !asked.isEmpty else { return notifications.map { _ in nil } }
        let found = try await database.read { try ModlogStore.Reader($0).modlogEntries(asked) }
        var next = found.makeIterator()
        return entries.map { entry in
            guard entry != nil, let found = next.next() else { return nil }
            return found.map(ModerationNotice.init)
        }
    }

    /// The notice of a notification; nil for one of another kind.
    package func notice(of notification: Notification) async throws -> ModerationNotice? {
        try await notices([(notification.kind, notification.subject)])[0]
    }

    /// The notice of a group of notifications; nil for one of another kind.
    package func notice(of group: NotificationGroup) async throws -> ModerationNotice? {
        try await notice(of: group.latest)
    }
}

extension NoticeStore.Writer {
    /// Notifies the user whom an order concerns. `entry` is its entry in the modlog.
    func notify(of record: ModlogRecord, _ entry: ModlogEntryID) throws {
        guard record.action.isTold else { return }
        guard record.action == .resolveReport else { return try notify(record.user, of: entry, by: record.actor) }
        let reporter = try transaction.first(Self.reporterQuery, [.integer(record.subject.rawValue)]) {
            $0.optionalInteger(0).map(UserID.init(rawValue:))
        }
        try notify(reporter ?? nil, of: entry, by: record.actor)
    }

    static let reporterQuery = "SELECT reporter_id FROM report WHERE id = ?1"

    /// Notifies `user`, unless the user is the moderator or has no account any more. Nobody is named as the actor.
    func notify(_ user: UserID?, of entry: ModlogEntryID, by moderator: UserID?) throws {
        guard let user, user != moderator, try AccountStore.Reader(transaction).exists(user) else { return }
        try NotificationStore.Writer(transaction).notify(
            [user], .moderation, subject: entry.rawValue, by: user)
    }
}
