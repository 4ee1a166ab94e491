import Crypto
import Database
import SocialGraph
import Text

/// The mails to send. Each is inserted by the transaction that gives cause for it.
package struct MailQueueStore: Sendable {
    /// The setting that says whether mails are queued: `on`, or anything else. The server sets it at its start, and
    /// commands of other processes follow it.
    static let setting = "account_mail"

    let database: any GraphDatabase

    /// Queries on one snapshot.
    package struct Reader {
        let reader: any SQLReader
        package init(_ reader: any SQLReader) { self.reader = reader }
    }

    /// Writes in one transaction.
    package struct Writer {
        let transaction: any GraphTransaction
        package init(_ transaction: any GraphTransaction) { self.transaction = transaction }
    }
}

extension MailQueueStore {
    /// Says whether mails are sent. Without it none is queued.
    package func setSending(_ isOn: Bool) async throws {
        try await SettingStore(database: database).store(isOn ? "on" : "off", as: Self.setting)
    }

    /// Takes up to `limit` mails that are due, longest due first. The caller has `lease` milliseconds to apply an
    /// outcome; after that the mail is due again. Mails that have expired are deleted instead.
    ///
    /// - Returns: the mails, and the number of expired ones.
    package func take(limit: Int, lease: Int64) async throws -> (mails: [AccountMail], expired: Int) {
        try await database.write { transaction in
            let due = try transaction.rows(
                Self.dueQuery, [.integer(transaction.now), .integer(Int64(limit))], AccountMail.init(row:))
            let live = due.filter { transaction.expiryTime < $0.expiresAt }
            for mail in due {
                if transaction.expiryTime < mail.expiresAt {
                    try transaction.execute(
                        Self.takeStatement, [.integer(mail.id), .integer(transaction.now + lease)])
                } else {
                    try transaction.execute(Self.deleteStatement, [.integer(mail.id)])
                }
            }
            return (live, due.count - live.count)
        }
    }

    static let dueQuery = """
        SELECT m.id, m.user_id, a.username, m.kind, m.recipient, m.token, m.address, m.user_agent, m.created_at,
            m.expires_at, m.attempts
        FROM mail m JOIN account a ON a.id = m.user_id WHERE m.due_at <= ?1 ORDER BY m.due_at LIMIT ?2
        """
    static let takeStatement = "UPDATE mail SET is_sending = 1, attempts = attempts + 1, due_at = ?2 WHERE id = ?1"
    static let deleteStatement = "DELETE FROM mail WHERE id = ?1"

    /// Ends an attempt: the mail is removed or, with a time in milliseconds since 1970, due again then. Without effect
    /// if the lease has expired and another owner has taken the mail.
    package func finish(_ mail: AccountMail, retryingAt time: Int64?) async throws {
        try await database.write { transaction in
            let isOurs = try transaction.exists(
                "SELECT 1 FROM mail WHERE id = ?1 AND attempts = ?2 AND is_sending = 1",
                [.integer(mail.id), .integer(mail.attempts)])
            guard isOurs else { return }
            if let time {
                try transaction.execute(
                    "UPDATE mail SET is_sending = 0, due_at = ?2 WHERE id = ?1", [.integer(mail.id), .integer(time)])
            } else {
                try transaction.execute(Self.deleteStatement, [.integer(mail.id)])
            }
        }
    }

    /// Makes the mails due that an owner proven dead was sending. It is unknown whether they were accepted, so they are
    /// sent once more under the same message ids. Must be called before the first mail is taken.
    package func free(from former: FormerOwner) async throws {
        guard former == .isDead else { return }
        try await database.write { transaction in
            try transaction.execute(Self.freeStatement, [.integer(transaction.now)])
        }
    }

    static let freeStatement = "UPDATE mail SET is_sending = 0, due_at = ?1 WHERE is_sending = 1"

    /// Number of waiting mails.
    package func backlog() async throws -> Int64 {
        try await database.read { try $0.first(Self.backlogQuery, []) { $0.integer(0) } ?? 0 }
    }

    static let backlogQuery = "SELECT COUNT(*) FROM mail WHERE due_at > 0"
}

extension MailQueueStore.Reader {
    var isSending: Bool {
        get throws { try SettingStore.Reader(reader).setting(MailQueueStore.setting) == "on" }
    }
}

extension MailQueueStore.Writer {
    /// Queues a notice to the present address of `user`, if mail is sent, the user has an address, and it has not had
    /// too many.
    func queueNotice(_ kind: AccountMail.Kind, to user: UserID, from origin: LoginOrigin?) throws {
        guard let email = try AccountStore.Reader(transaction).account(user)?.email else { return }
        try queueNotice(kind, to: email, of: user, from: origin)
    }

    /// Queues a notice to an address that `user` has or had, as ``queueNotice(_:to:from:)`` does.
    func queueNotice(
        _ kind: AccountMail.Kind, to email: String, of user: UserID, from origin: LoginOrigin?
    ) throws {
        guard try MailQueueStore.Reader(transaction).isSending, try count(kind, to: email) else { return }
        try queue(kind, to: email, of: user, from: origin)
    }

    /// Deletes the mails of a deleted account.
    func deleteMails(of user: UserID) throws {
        try transaction.execute("DELETE FROM mail WHERE user_id = ?1", [.user(user)])
    }

    /// Inserts a mail that has been counted.
    func queue(
        _ kind: AccountMail.Kind, to recipient: String, of user: UserID, token: AccountToken? = nil,
        from origin: LoginOrigin?
    ) throws {
        try transaction.execute(
            """
            INSERT INTO mail (id, user_id, kind, recipient, token, address, user_agent, created_at, expires_at, due_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?8)
            """,
            [
                .integer(try transaction.nextID()), .user(user), .text(kind.rawValue), .text(recipient),
                .optional(token?.text), .text(origin?.address ?? ""), .text(origin?.userAgent ?? ""),
                .integer(transaction.now), .integer(transaction.now + kind.lifetime),
            ])
    }

    /// Counts a mail to an address, which need not be known here; false if it has had as many as it may. The address is
    /// stored as a digest.
    func count(_ kind: AccountMail.Kind, to recipient: String) throws -> Bool {
        let digest = Array(SHA256.hash(data: Array(NameFolding.key(recipient).utf8)).prefix(16))
        let count = try transaction.first(
            Self.countStatement,
            [
                .blob(digest), .text(kind.rawValue), .integer(transaction.now),
                .integer(transaction.now - SessionLimits.mailWindow),
            ]
        ) { $0.integer(0) }
        return (count ?? .max) <= kind.limit
    }

    static let countStatement = """
        INSERT INTO mail_count (recipient, kind, started_at, count) VALUES (?1, ?2, ?3, 1)
        ON CONFLICT (recipient, kind) DO UPDATE SET
            count = CASE WHEN mail_count.started_at <= ?4 THEN 1 ELSE mail_count.count + 1 END,
            started_at = CASE WHEN mail_count.started_at <= ?4 THEN ?3 ELSE mail_count.started_at END
        RETURNING count
        """

    /// Deletes mails that nobody took in time, and counts of past hours.
    func prune() throws {
        try transaction.execute("DELETE FROM mail WHERE expires_at < ?1", [.integer(transaction.expiryTime)])
        try transaction.execute(
            "DELETE FROM mail_count WHERE started_at < ?1",
            [.integer(transaction.expiryTime - SessionLimits.mailWindow)])
    }
}
