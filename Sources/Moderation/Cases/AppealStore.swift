import Database
import SocialGraph

/// Appeals by affected users, at most one for each entry of the modlog.
package struct AppealStore: Sendable {
    let database: any GraphDatabase

    /// Queries on one snapshot.
    package struct Reader {
        let reader: any SQLReader
        package init(_ reader: any SQLReader) { self.reader = reader }
    }
}

extension AppealStore {
    /// Files an appeal. Throws ``ModerationError/notAppealable(_:)``.
    package func appeal(against entry: ModlogEntryID, by user: UserID, text: String) async throws -> Appeal {
        try await database.write { transaction in
            guard let found = try ModlogStore.Reader(transaction).modlogEntry(entry), found.user == user,
                found.action.isAppealable
            else { throw ModerationError.notAppealable("You have no entry with this id that can be appealed.") }
            guard found.endedBy == nil, found.endsAt.map({ $0 > transaction.expiryTime }) ?? true else {
                throw ModerationError.notAppealable("The action that you appeal has already ended.")
            }
            let key: [SQLValue] = [.integer(entry.rawValue), .user(user)]
            guard try !transaction.exists("SELECT 1 FROM appeal WHERE seq = ?1 AND user_id = ?2", key) else {
                throw ModerationError.notAppealable("You have already appealed this action.")
            }
            let id = AppealID(rawValue: try transaction.nextID())
            // Only moderators of the site reverse decisions of the site.
            let isOfCommunity = found.scope == .community && RoleTable.allows(found.action, to: .communityOwner)
            let community = isOfCommunity ? found.community : nil
            try transaction.execute(
                """
                INSERT INTO appeal (id, seq, user_id, community_id, text, created_at, status)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, \(AppealStatus.open.literal))
                """,
                [.integer(id.rawValue)] + key + [
                    community.map(SQLValue.community) ?? .null, .text(text), .integer(transaction.now),
                ])
            guard let appeal = try Reader(transaction).appeals([Reader.appealQuery(id.rawValue)]).first else {
                throw ModerationError.appealNotFound
            }
            return appeal
        }
    }

    /// The appeals filed by `user`, the latest first, strictly below `cursor`.
    package func appeals(of user: UserID, below cursor: Int64?, limit: Int) async throws -> Page<Appeal, Int64> {
        try await database.read { reader in
            let query = Reader.appealsQuery(
                Reader.columns, "p.user_id = ?3", [.user(user)], below: cursor, limit: limit + 1)
            return Page(rows: try Reader(reader).appeals([query]), limit: limit) { $0.id.rawValue }
        }
    }

    /// The appeals that `authority` decides: those of its communities, or all of them for the site's moderators. The
    /// latest first, strictly below `cursor`. A nil `status` selects every status. Throws
    /// ``ModerationError/notPermitted(_:)`` and ``GraphError/communityNotFound``.
    package func appeals(
        _ status: AppealStatus?, in community: CommunityID?, visibleTo authority: ModerationAuthority,
        below cursor: Int64?, limit: Int
    ) async throws -> Page<Appeal, Int64> {
        try await database.read { reader in
            let scopes = try ReportStore.Reader(reader).scopes(.decideAppeal, community, of: authority)
            // Each community and status may fill the page: their ids first, and then the appeals of the page alone.
            let queries = scopes.flatMap { scope in
                (status.map { [$0] } ?? AppealStatus.allCases).map { status in
                    let isStatus = "p.status = ?3"
                    return Reader.appealsQuery(
                        Reader.ids, scope == nil ? isStatus : "\(isStatus) AND p.community_id = ?4",
                        [.text(status.rawValue)] + (scope.map { [.community($0)] } ?? []), below: cursor,
                        limit: limit + 1)
                }
            }
            let ids = try reader.rows(of: queries) { $0.integer(0) }.joined().sorted(by: >)
            let page = Page(rows: ids, limit: limit) { $0 }
            return Page(items: try Reader(reader).appeals(page.items.map(Reader.appealQuery)), next: page.next)
        }
    }
}

extension AppealStore.Reader {
    fileprivate static let ids = "SELECT p.id FROM appeal p"
    fileprivate static let columns = """
        SELECT p.id, p.user_id, a.username, p.seq, p.text, p.created_at, p.status, p.decided_by, d.username,
            p.decided_at
        FROM appeal p JOIN account a ON a.id = p.user_id LEFT JOIN account d ON d.id = p.decided_by
        """

    fileprivate static func appealQuery(_ id: Int64) -> SQLQuery {
        SQLQuery("\(columns) WHERE p.id = ?1", [.integer(id)])
    }

    fileprivate static func appealsQuery(
        _ columns: String, _ condition: String, _ arguments: [SQLValue], below cursor: Int64?, limit: Int
    ) -> SQLQuery {
        SQLQuery(
            "\(columns) WHERE \(condition) AND p.id < ?1 ORDER BY p.id DESC LIMIT ?2",
            [.integer(cursor ?? .max), .integer(Int64(limit))] + arguments)
    }

    /// The appeals that `queries` find, with the entries that they are against, in two round trips.
    fileprivate func appeals(_ queries: [SQLQuery]) throws -> [Appeal] {
        let found = try reader.rows(of: queries, StoredAppeal.init(row:)).flatMap(\.self)
        return try zip(found, try ModlogStore.Reader(reader).modlogEntries(found.map(\.entry))).map { appeal, entry in
            guard let entry else {
                throw DatabaseError.storageCorrupt(detail: "the appeal \(appeal.id.rawValue) is against nothing")
            }
            return appeal.against(entry)
        }
    }
}

/// An appeal without the entry that it is against.
private struct StoredAppeal {
    let id: AppealID
    let user: UserID
    let username: String
    let entry: ModlogEntryID
    let text: String
    let createdAt: Int64
    let state: AppealState
    let decidedByName: String?

    init(row: any SQLRow) throws {
        id = AppealID(rawValue: row.integer(0))
        user = UserID(rawValue: row.integer(1))
        username = row.text(2)
        entry = ModlogEntryID(rawValue: row.integer(3))
        text = row.text(4)
        createdAt = row.integer(5)
        state = try AppealState(row: row, status: 6, decidedBy: 7, decidedAt: 9)
        decidedByName = row.optionalText(8)
    }

    func against(_ entry: ModlogEntry) -> Appeal {
        Appeal(
            id: id, user: user, username: username, entry: entry, text: text, createdAt: createdAt, state: state,
            decidedByName: decidedByName)
    }
}
