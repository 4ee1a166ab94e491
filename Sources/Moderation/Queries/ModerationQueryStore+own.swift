import Database
import SocialGraph

/// Moderation that affects the reader, without the actors and their notes.
extension ModerationQueryStore {
    /// The entries that affect `user`, the latest first, strictly below `cursor`. Omits reports about the user.
    package func ownModeration(
        of user: UserID, below cursor: Int64?, limit: Int
    ) async throws -> Page<OwnModlogEntry, Int64> {
        try await database.read { reader in
            let rows = try reader.rows(
                Self.ownModerationQuery, [.integer(cursor ?? .max), .integer(Int64(limit + 1)), .user(user)],
                ModlogEntry.init(row:))
            let page = Page(rows: rows, limit: limit) { $0.id.rawValue }
            let statuses = try reader.first(
                of: page.items.map { entry in
                    SQLQuery(
                        "SELECT status FROM appeal WHERE seq = ?1 AND user_id = ?2",
                        [.integer(entry.id.rawValue), .user(user)])
                }
            ) { try $0.choice(0, of: AppealStatus.self) }
            return Page(items: zip(page.items, statuses).map(OwnModlogEntry.init(entry:appeal:)), next: page.next)
        }
    }

    static let ownModerationQuery = """
        \(ModlogStore.Reader.modlogColumns)
        WHERE e.user_id = ?3 AND e.seq < ?1 AND e.action NOT IN (\(untold.map(\.literal).joined(separator: ", ")))
        ORDER BY e.seq DESC LIMIT ?2
        """
    private static let untold: [ModerationAction] = [
        .claimReport, .releaseReport, .resolveReport, .decideAppeal, .undo, .expire,
    ]
}

extension ModerationQueryStore.Reader {
    /// Returns the reason and end of the suspension of `user` (a nil end means for good); nil if the user is not
    /// suspended.
    func suspension(of user: UserID) throws -> Suspension? {
        guard try reader.exists(Self.suspendedAccountProbe, [.user(user)]) else { return nil }
        let entry = try ModlogStore.Reader(reader).entryInForce(.accountSuspended, of: user.rawValue)
        return Suspension(reason: entry?.reason ?? "", endsAt: entry?.endsAt)
    }

    static let suspendedAccountProbe = "SELECT 1 FROM account WHERE id = ?1 AND suspended_at IS NOT NULL"
}
