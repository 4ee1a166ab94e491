import Database
import SocialGraph

/// The modlog as everybody may read it.
extension ModlogStore {
    /// The public entries of the site (nil) or of one community: actions on posts, comments, members and communities,
    /// without actors, notes, details, cases, warnings and reasons of automated rules. The caller checks that the
    /// reader may see the community. `next` is nil only at the true end. The page ends before it is full if about
    /// `budget` entries have been examined.
    package func publicModlog(
        of community: CommunityID?, below cursor: ModlogEntryID?, limit: Int,
        examining budget: Int = SocialGraphLimits.examinedRows
    ) async throws -> Page<ModlogEntry, Int64> {
        try await database.read { reader in
            let page = try Reader(reader).publicEntries(
                of: community, below: cursor?.rawValue ?? .max, limit: limit, examining: budget)
            let entries = try Reader(reader).modlogEntries(page.items).compactMap { $0?.asPublic }
            return Page(items: entries, next: page.next)
        }
    }
}

extension ModlogStore.Reader {
    /// Maximum number of entries examined at once.
    private static let examinedAtOnce = 1_000

    fileprivate func publicEntries(
        of community: CommunityID?, below bound: Int64, limit: Int, examining budget: Int
    ) throws -> Page<ModlogEntryID, Int64> {
        let query = community == nil ? Self.actionsOfSiteQuery : Self.actionsOfCommunityQuery
        let place = community.map { [SQLValue.community($0)] } ?? []
        var found: [ModlogEntryID] = []
        var (bound, examined, size) = (bound, 0, 4 * limit)
        while examined < budget {
            let count = min(size, budget - examined)
            let rows = try reader.rows(query, [.integer(bound), .integer(Int64(count))] + place) { row in
                let action = try ModlogDetail.orderedAction(try row.choice(1), in: row.text(2))
                return (id: ModlogEntryID(rawValue: row.integer(0)), isPublic: action.isPublic)
            }
            found += rows.filter(\.isPublic).map(\.id)
            guard found.count <= limit, rows.count == count, let last = rows.last else {
                return Page(rows: found, limit: limit, cursor: \.rawValue)
            }
            bound = last.id.rawValue
            examined += count
            size = min(2 * size, Self.examinedAtOnce)
        }
        return Page(items: found, next: bound)
    }

    static let actionsOfSiteQuery = """
        SELECT seq, action, detail FROM moderation_entry
        WHERE community_id IS NULL AND seq < ?1 ORDER BY seq DESC LIMIT ?2
        """
    static let actionsOfCommunityQuery = """
        SELECT seq, action, detail FROM moderation_entry
        WHERE community_id = ?3 AND seq < ?1 ORDER BY seq DESC LIMIT ?2
        """
}

extension ModerationAction {
    /// True if everybody may read of an entry with this ``ModlogEntry/orderedAction``.
    fileprivate var isPublic: Bool {
        switch self {
        case .warnUser, .claimReport, .releaseReport, .resolveReport, .decideAppeal, .approveRequest, .declineRequest,
            .undo, .expire:
            false
        default: true
        }
    }
}

extension ModlogEntry {
    fileprivate var asPublic: ModlogEntry {
        let isAutomatic = actor == nil && action != .expire
        return ModlogEntry(
            id: id, batch: batch, createdAt: createdAt, actor: nil, actorName: nil, action: action,
            orderedAction: orderedAction, subject: subject,
            community: community, communityName: communityName, user: nil, username: nil,
            reason: isAutomatic ? "" : reason, note: nil, detail: "{}", endsAt: endsAt, endedEntry: endedEntry,
            endedBy: endedBy, scope: scope, digest: digest)
    }
}
