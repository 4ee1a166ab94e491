import Database
import SocialGraph

/// The audit: acts of administrators and operators that the modlog does not record. Entries are appended in the
/// transaction of the act, and never changed or removed.
package struct AuditStore: Sendable {
    /// Longest name of a user of the machine, and longest detail, in bytes of UTF-8. The rest is cut.
    package static let textBytes = 200

    let database: any GraphDatabase

    /// Writes in one transaction.
    package struct Writer {
        package let transaction: any GraphTransaction
        package init(_ transaction: any GraphTransaction) { self.transaction = transaction }
    }
}

/// A condition on entries. There is only one at a time, because each has an index of its own.
package enum AuditFilter: Sendable, Equatable {
    case action(AuditAction)
    case actor(UserID)
    case subject(Int64)
}

extension GraphStore {
    package var audit: AuditStore { AuditStore(database: database) }
}

extension AuditStore {
    /// Appends all of `notes` in one transaction.
    package func append(_ notes: [AuditNote]) async throws {
        try await database.write { transaction in
            for note in notes { try Writer(transaction).append(note) }
        }
    }

    /// Runs `act` in one transaction with its entry, so that neither is stored without the other. `act` returns false
    /// if it has changed nothing; then there is no entry. Returns the same.
    @discardableResult
    package func recording(
        _ note: AuditNote, _ act: @escaping @Sendable (any GraphTransaction) throws -> Bool
    ) async throws -> Bool {
        try await database.write { transaction in
            guard try act(transaction) else { return false }
            try Writer(transaction).append(note)
            return true
        }
    }

    /// The entries that satisfy `filter`, strictly below `cursor`, newest first.
    package func entries(
        _ filter: AuditFilter? = nil, below cursor: Int64?, limit: Int
    ) async throws -> Page<AuditEntry, Int64> {
        try await database.read { reader in
            let page: [SQLValue] = [.integer(cursor ?? .max), .integer(Int64(limit) + 1)]
            let (sql, value) = Self.query(filter)
            let rows = try reader.rows(sql, page + (value.map { [$0] } ?? []), AuditEntry.init(row:))
            return Page(rows: rows, limit: limit, cursor: \.id)
        }
    }

    private static func query(_ filter: AuditFilter?) -> (sql: String, value: SQLValue?) {
        switch filter {
        case nil: (entriesQuery, nil)
        case .action(let action): (entriesOfActionQuery, .text(action.rawValue))
        case .actor(let user): (entriesOfActorQuery, .user(user))
        case .subject(let subject): (entriesOfSubjectQuery, .integer(subject))
        }
    }

    static let entriesQuery = "\(columns) WHERE \(order)"
    static let entriesOfActionQuery = "\(columns) WHERE action = ?3 AND \(order)"
    static let entriesOfActorQuery = "\(columns) WHERE actor_id = ?3 AND \(order)"
    static let entriesOfSubjectQuery = "\(columns) WHERE subject_id = ?3 AND \(order)"

    private static let columns =
        "SELECT id, created_at, action, actor_id, machine_user, subject_id, detail FROM audit_entry"
    private static let order = "id < ?1 ORDER BY id DESC LIMIT ?2"
}

extension AuditStore.Writer {
    package func append(_ note: AuditNote) throws {
        var (user, name): (SQLValue, String?) = (.null, nil)
        switch note.actor {
        case .user(let id): user = .user(id)
        case .machine(let text): name = Self.cut(text)
        }
        try transaction.execute(
            """
            INSERT INTO audit_entry (id, created_at, action, actor_id, machine_user, subject_id, detail)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """,
            [
                .integer(try transaction.nextID()), .integer(transaction.now), .text(note.action.rawValue), user,
                .optional(name), note.subject.map(SQLValue.integer) ?? .null, .optional(note.detail.map(Self.cut)),
            ])
    }

    private static func cut(_ text: String) -> String {
        let end = text.utf8.index(text.startIndex, offsetBy: AuditStore.textBytes, limitedBy: text.endIndex)
        // A slice ends at the scalar that the index is in.
        return end.map { String(text[..<$0]) } ?? text
    }
}
