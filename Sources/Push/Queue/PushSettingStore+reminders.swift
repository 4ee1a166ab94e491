import Database
import SocialGraph

extension PushSettingStore {
    /// Longest delay of a reminder in milliseconds, such as after a restart.
    static let reminderDelay = 60 * Milliseconds.minute

    /// Returns the reminders in the order given by the user: at most ``PushLimits/remindersPerUser``.
    package func reminders(of user: UserID) async throws -> [Reminder] {
        try await database.read { reader in
            try reader.rows(Self.remindersQuery, [.user(user)], Reminder.init(row:)).compactMap(\.self)
        }
    }

    static let remindersQuery = """
        SELECT kind, minute, weekdays, time_zone FROM reminder WHERE user_id = ?1 ORDER BY ordinal
        """

    /// Replaces the reminders of the user with `reminders`, due from now on. Throws ``GraphError/accountNotFound`` and
    /// ``GraphError/limitReached(_:)``.
    package func setReminders(_ reminders: [Reminder], of user: UserID) async throws {
        try await database.write { transaction in
            try AccountStore.Reader(transaction).requireAccounts([user])
            guard reminders.count <= PushLimits.remindersPerUser else {
                throw GraphError.limitReached("\(PushLimits.remindersPerUser) reminders")
            }
            try transaction.execute("DELETE FROM reminder WHERE user_id = ?1", [.user(user)])
            for (ordinal, reminder) in reminders.enumerated() {
                guard let next = reminder.next(after: transaction.now) else { continue }
                try transaction.execute(
                    """
                    INSERT INTO reminder (user_id, ordinal, kind, minute, weekdays, time_zone, next_at)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                    """,
                    [
                        .user(user), .integer(Int64(ordinal)), .text(reminder.kind.rawValue),
                        .integer(Int64(reminder.minute)), .integer(reminder.weekdayBits), .text(reminder.timeZone),
                        .integer(next),
                    ])
            }
        }
    }

    /// Enqueues up to `limit` due reminders and sets their next due times, both in one transaction: an occurrence is
    /// pushed once, however often the server is killed. Skips an occurrence later than ``reminderDelay``. Returns true
    /// if any was due.
    package func fireReminders(limit: Int) async throws -> Bool {
        try await database.write { transaction in
            let due = try transaction.rows(
                Self.dueRemindersQuery, [.integer(transaction.now), .integer(Int64(limit))], DueReminder.init(row:))
            let told = due.filter { transaction.now - $0.at <= Self.reminderDelay }
            try PushEventStore.Writer(transaction).arm(
                told.compactMap { row in row.reminder.map { ($0.kind.push, row.user, row.at) } })
            for row in due {
                let key: [SQLValue] = [.user(row.user), .integer(row.ordinal)]
                if let next = row.reminder?.next(after: transaction.now) {
                    try transaction.execute(
                        "UPDATE reminder SET next_at = ?3 WHERE user_id = ?1 AND ordinal = ?2", key + [.integer(next)])
                } else {
                    try transaction.execute("DELETE FROM reminder WHERE user_id = ?1 AND ordinal = ?2", key)
                }
            }
            return !due.isEmpty
        }
    }

    static let dueRemindersQuery = """
        SELECT kind, minute, weekdays, time_zone, user_id, ordinal, next_at FROM reminder
        WHERE next_at <= ?1 ORDER BY next_at LIMIT ?2
        """
}

private struct DueReminder {
    /// Nil if the system no longer knows its time zone.
    let reminder: Reminder?
    let user: UserID
    let ordinal: Int64
    let at: Int64

    init(row: any SQLRow) throws {
        reminder = try Reminder(row: row)
        user = UserID(rawValue: row.integer(4))
        ordinal = row.integer(5)
        at = row.integer(6)
    }
}

extension Reminder {
    /// Nil if the system no longer knows the time zone.
    fileprivate init?(row: any SQLRow) throws {
        let minute = Int(row.integer(1))
        guard LocalZone.minutes.contains(minute) else { throw DatabaseError.undecodable(Self.self, minute) }
        self.init(
            kind: try row.choice(0), minute: minute, weekdays: try Self.weekdays(in: row.integer(2)),
            timeZone: row.text(3))
    }
}
