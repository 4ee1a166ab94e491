import Database
import SocialGraph

/// The original orders behind undos.
extension ModerationStore.Reader {
    func origin(of entry: ModlogEntryID) throws -> UndoOrigin { try origins(of: [entry])[0] }

    /// Follows undos of undos down to the original orders, those of all `entries` together: a round trip for each undo
    /// in a row. Throws ``ModerationError/batchNotFound``, and ``ModerationError/notApplicable(_:)`` for an entry that
    /// follows ``ModerationLimits/undosInARow`` undos.
    func origins(of entries: [ModlogEntryID]) throws -> [UndoOrigin] {
        let links = try self.links(of: entries)
        var origins = zip(entries, links).map { UndoOrigin($0, $1) }
        while true {
            let open = origins.indices.filter { origins[$0].below != nil }
            guard !open.isEmpty else { return origins }
            let links = try self.links(of: open.compactMap { origins[$0].below })
            for (index, link) in zip(open, links) { try origins[index].descend(to: link) }
        }
    }

    private func links(of entries: [ModlogEntryID]) throws -> [UndoLink] {
        let links = try reader.first(of: entries.map { SQLQuery(Self.originQuery, [.integer($0.rawValue)]) }) {
            try UndoLink(row: $0)
        }
        return try links.map { link in
            guard let link else { throw ModerationError.batchNotFound }
            return link
        }
    }

    static let originQuery = "SELECT action, actor_id, ends_entry, is_site FROM moderation_entry WHERE seq = ?1"
}

/// An entry of the modlog as a part of a series of undos.
struct UndoLink {
    let action: ModerationAction
    let actor: UserID?
    let scope: ModerationScope
    /// The entry that it ended; nil for an order.
    let below: ModlogEntryID?

    init(row: any SQLRow) throws {
        action = try row.choice(0, of: ModerationAction.self)
        actor = row.optionalInteger(1).map(UserID.init(rawValue:))
        below = row.optionalInteger(2).map(ModlogEntryID.init(rawValue:))
        scope = ModerationScope(isSite: row.integer(3))
    }
}

/// The original order behind an entry.
struct UndoOrigin {
    private(set) var entry: ModlogEntryID
    private(set) var action: ModerationAction
    /// The actor of the entry itself.
    let actor: UserID?
    /// The scope of the entry itself.
    let scope: ModerationScope
    /// The number of undos: 0 for the order itself, odd if it is reverted, even if it is in force again.
    private(set) var depth = 0
    private(set) var isReversible: Bool
    /// The next entry to follow; nil once the order is reached.
    fileprivate var below: ModlogEntryID?

    fileprivate init(_ entry: ModlogEntryID, _ link: UndoLink) {
        self.entry = entry
        action = link.action
        actor = link.actor
        scope = link.scope
        isReversible = link.action != .expire
        below = link.below
    }

    fileprivate mutating func descend(to link: UndoLink) throws {
        guard let below else { return }
        depth += 1
        guard depth < ModerationLimits.undosInARow else {
            throw ModerationError.notApplicable(
                "This has been undone and redone \(depth) times in a row. Undo the batch of the order itself, "
                    + "or order it again.")
        }
        entry = below
        action = link.action
        if link.action == .expire { isReversible = false }
        self.below = link.below
    }
}
