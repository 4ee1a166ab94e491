import Audit
import Database
import SocialGraph

/// Reads the modlog, the newest entries first.
package struct ModlogStore: Sendable {
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

extension ModlogStore {
    /// The entries visible to a moderator, strictly below `cursor`. The roles of `visibleTo` must allow each entry: all
    /// for roles of the site, otherwise those of the communities that the user moderates.
    package func modlog(
        _ filter: ModlogFilter, visibleTo authority: ModerationAuthority, below cursor: ModlogEntryID?, limit: Int
    ) async throws -> Page<ModlogEntry, Int64> {
        let bound = cursor?.rawValue ?? .max
        return try await database.read { reader in
            if authority.siteRole != nil {
                let rows = try Reader(reader).entries(filter, below: bound, limit: limit + 1)
                return Page(rows: rows, limit: limit) { $0.id.rawValue }
            }
            let communities = authority.communities.keys.filter { filter.community ?? $0 == $0 }
            // Each community may fill the page: their ids first, and then the entries of the page alone.
            let queries = communities.map { community in
                var part = filter
                part.community = community
                return Reader.entriesQuery(Reader.ids, part, below: bound, limit: limit + 1)
            }
            let ids = try reader.rows(of: queries) { ModlogEntryID(rawValue: $0.integer(0)) }.joined()
            let page = Page(rows: ids.sorted(by: >), limit: limit, cursor: \.rawValue)
            let entries = try Reader(reader).modlogEntries(page.items).compactMap { $0?.asSeen(by: authority) }
            return Page(items: entries, next: page.next)
        }
    }

    package func modlogEntry(_ id: ModlogEntryID) async throws -> ModlogEntry? {
        try await database.read { try Reader($0).modlogEntry(id) }
    }

    /// Erases the note of an entry, which the audit records. Throws ``ModerationError/notPermitted(_:)`` for everybody
    /// except an admin.
    package func eraseNote(of entry: ModlogEntryID, by actor: UserID) async throws {
        try await database.write { transaction in
            guard try ModerationStore.Reader(transaction).authority(of: actor).siteRole == .admin else {
                throw ModerationError.notPermitted(.undo)
            }
            let erased = try transaction.executeCounting(
                "DELETE FROM moderation_note WHERE seq = ?1", [.integer(entry.rawValue)])
            guard erased > 0 else { return }
            try AuditStore.Writer(transaction).append(
                AuditNote(.noteErased, by: .user(actor), subject: entry.rawValue))
        }
    }
}

extension ModlogStore.Reader {
    func modlogEntry(_ id: ModlogEntryID) throws -> ModlogEntry? { try modlogEntries([id])[0] }

    /// The entries, in the order of `ids` and in one round trip.
    func modlogEntries(_ ids: [ModlogEntryID]) throws -> [ModlogEntry?] {
        let query = "\(Self.modlogColumns) WHERE e.seq = ?1"
        return try reader.first(of: ids.map { SQLQuery(query, [.integer($0.rawValue)]) }, ModlogEntry.init(row:))
    }

    func entries(_ filter: ModlogFilter, below bound: Int64, limit: Int) throws -> [ModlogEntry] {
        let query = Self.entriesQuery(Self.modlogColumns, filter, below: bound, limit: limit)
        return try reader.rows(query.sql, query.arguments, ModlogEntry.init(row:))
    }

    fileprivate static let ids = "SELECT e.seq FROM moderation_entry e"

    fileprivate static func entriesQuery(
        _ columns: String, _ filter: ModlogFilter, below bound: Int64, limit: Int
    ) -> SQLQuery {
        var arguments: [SQLValue] = [.integer(bound), .integer(Int64(limit))]
        var conditions: [String] = []
        func add(_ column: String, _ value: SQLValue) {
            arguments.append(value)
            // The plus excludes other indexes: SQLite must use the index of the first condition.
            conditions.append("\(conditions.isEmpty ? "" : "+")\(column) = ?\(arguments.count)")
        }
        if let batch = filter.batch { add("e.batch_id", .integer(batch.rawValue)) }
        if let subject = filter.subject {
            let isFirst = conditions.isEmpty
            arguments += [.text(subject.kind.rawValue), .integer(subject.rawValue)]
            let kind = isFirst ? "e.subject_kind" : "e.subject_kind || ''"
            conditions.append(
                "\(kind) = ?\(arguments.count - 1) AND \(isFirst ? "" : "+")e.subject_id = ?\(arguments.count)")
        }
        if let user = filter.user { add("e.user_id", .user(user)) }
        if let actor = filter.actor { add("e.actor_id", .user(actor)) }
        if let community = filter.community { add("e.community_id", .community(community)) }
        if let action = filter.action {
            arguments.append(.text(action.rawValue))
            conditions.append("e.action = ?\(arguments.count)")
        }
        return SQLQuery(
            """
            \(columns)
            WHERE \((conditions + ["e.seq < ?1"]).joined(separator: " AND ")) ORDER BY e.seq DESC LIMIT ?2
            """, arguments)
    }

    /// An entry is ended by the entry that ended the last of its effects. An undo or an expiry has no effects, and is
    /// ended by the entry that reverted it. `EXISTS` would let PostgreSQL collect all effects in force.
    static let modlogColumns = """
        SELECT e.seq, e.batch_id, e.created_at, e.actor_id, a.username, e.action, e.subject_kind, e.subject_id,
            e.community_id, c.name, e.user_id, u.username, e.reason, n.note, e.detail, e.ends_at, e.ends_entry,
            CASE WHEN e.ends_entry IS NULL THEN
                CASE WHEN (SELECT MIN(f.seq) FROM moderation_effect f WHERE f.seq = e.seq AND f.ended_at IS NULL)
                    IS NOT NULL THEN NULL ELSE (SELECT MAX(f.ended_by) FROM moderation_effect f WHERE f.seq = e.seq) END
            WHEN EXISTS (SELECT 1 FROM moderation_effect f WHERE f.ended_by = e.seq) THEN NULL
            ELSE (SELECT MAX(x.seq) FROM moderation_entry x WHERE x.ends_entry = e.seq) END,
            e.digest, e.is_site
        FROM moderation_entry e LEFT JOIN account a ON a.id = e.actor_id LEFT JOIN community c ON c.id = e.community_id
            LEFT JOIN account u ON u.id = e.user_id LEFT JOIN moderation_note n ON n.seq = e.seq
        """

    /// Returns the entry that causes the state of a user or of content: the newest of those in force. Nil if the state
    /// is not set, or was set before there was a modlog.
    func entryInForce(_ facet: Facet, of subject: Int64) throws -> ModlogEntry? {
        let entry = try reader.first(Self.entryInForceQuery, FacetKey(facet, subject).arguments) {
            ModlogEntryID(rawValue: $0.integer(0))
        }
        return try entry.flatMap { try modlogEntry($0) }
    }

    static let entryInForceQuery = """
        SELECT seq FROM moderation_effect
        WHERE subject_id = ?1 AND facet = ?2 AND community_id = ?3 AND ended_at IS NULL ORDER BY id DESC LIMIT 1
        """
}

extension ModlogEntry {
    init(row: any SQLRow) throws {
        let action = try row.choice(5, of: ModerationAction.self)
        func user(_ column: Int) -> UserID? { row.optionalInteger(column).map(UserID.init(rawValue:)) }
        func entry(_ column: Int) -> ModlogEntryID? { row.optionalInteger(column).map(ModlogEntryID.init(rawValue:)) }
        id = ModlogEntryID(rawValue: row.integer(0))
        batch = BatchID(rawValue: row.integer(1))
        createdAt = row.integer(2)
        actor = user(3)
        actorName = row.optionalText(4)
        self.action = action
        subject = ModerationSubject(try row.choice(6), row.integer(7))
        community = row.optionalInteger(8).map(CommunityID.init(rawValue:))
        communityName = row.optionalText(9)
        self.user = user(10)
        username = row.optionalText(11)
        reason = row.text(12)
        note = row.optionalText(13)
        detail = row.text(14)
        orderedAction = try ModlogDetail.orderedAction(action, in: detail)
        endsAt = row.optionalInteger(15)
        endedEntry = entry(16)
        endedBy = entry(17)
        digest = row.blob(18)
        scope = ModerationScope(isSite: row.integer(19))
    }

    /// Notes of the site are only visible to its moderators.
    func asSeen(by authority: ModerationAuthority) -> ModlogEntry {
        guard scope == .site, authority.scope == .community else { return self }
        var entry = self
        entry.note = nil
        return entry
    }
}
