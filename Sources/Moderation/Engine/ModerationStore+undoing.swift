import Database
import SocialGraph

/// Undos and expiries.
extension ModerationStore {
    /// Reverts the remaining effects of a batch, in one transaction. The caller must be allowed each of its actions. An
    /// undo is itself undone by undoing its own batch; ``ModerationLimits/undosInARow`` may follow an order. Later
    /// changes by users are kept. Throws ``ModerationError/batchNotFound``, ``ModerationError/notPermitted(_:)``,
    /// ``ModerationError/ownAffair``, ``ModerationError/outranked``, ``ModerationError/siteDecision``,
    /// ``ModerationError/notApplicable(_:)``.
    package func undo(
        _ batch: BatchID, by actor: UserID, reason: String = "", isDryRun: Bool = false
    ) async throws -> ModerationOutcome {
        let limit = ModerationLimits.moderationReasonLength
        guard reason.unicodeScalars.count <= limit else {
            throw ModerationError.invalidOrder(field: "reason", "A reason may have at most \(limit) characters.")
        }
        return try await moderating(isDryRun) { transaction in
            let authority = try Reader(transaction).authority(of: actor)
            let entries = try transaction.rows(
                "SELECT seq FROM moderation_entry WHERE batch_id = ?1 ORDER BY seq DESC", [.integer(batch.rawValue)]
            ) { ModlogEntryID(rawValue: $0.integer(0)) }
            guard !entries.isEmpty else { throw ModerationError.batchNotFound }
            let next = BatchID(rawValue: try transaction.nextID())
            let origins = try Reader(transaction).origins(of: entries)
            // One by one: an entry may have changed what one before it restores, and the modlog is a chain.
            let results = try zip(entries, origins).map { entry, origin in
                try Writer(transaction).takeBack(entry, from: origin, by: authority, batch: next, reason: reason)
            }
            return ModerationOutcome(
                batch: results.contains(where: \.isChanged) ? next : nil, isDryRun: false,
                results: results.reversed())
        }
    }

    /// Returns the number of entries in a batch, one for each changed subject; 0 if there is no such batch.
    package func size(of batch: BatchID) async throws -> Int {
        try await database.read { reader in
            try reader.first(Self.sizeQuery, [.integer(batch.rawValue)]) { Int($0.integer(0)) } ?? 0
        }
    }

    static let sizeQuery = "SELECT COUNT(*) FROM moderation_entry WHERE batch_id = ?1"

    /// Ends at most `limit` effects that have expired at `now` (milliseconds since 1970), each with an entry in the
    /// modlog. Returns the time of the next expiry; nil if there is none.
    package func endExpired(at now: Int64, limit: Int = 100) async throws -> Int64? {
        let next = try await database.read { try Reader($0).nextEnd() }
        guard let next, next <= now else { return next }
        return try await database.write { transaction in
            let due = try transaction.rows(Self.dueEffectsQuery, [.integer(now), .integer(Int64(limit))]) {
                try StoredEffect(row: $0)
            }
            let batch = BatchID(rawValue: try transaction.nextID())
            // One by one: two effects may be on one stack.
            for dueEffect in due {
                guard var stack = try FacetStore.Writer(transaction).stack(dueEffect.key),
                    stack.holds(dueEffect.effect)
                else {
                    // The subject is gone, or users have changed the state themselves.
                    try transaction.execute(
                        "UPDATE moderation_effect SET ended_at = ?2 WHERE id = ?1",
                        [.integer(dueEffect.id), .integer(transaction.now)])
                    continue
                }
                let effect = dueEffect.effect
                guard var record = try ModlogStore.Reader(transaction).ending(of: effect.entry, .expire, batch) else {
                    continue
                }
                record.scope = effect.scope
                let entry = try ModlogStore.Writer(transaction).append(record)
                try FacetStore.Writer(transaction).end([effect], of: &stack, by: entry)
                try FacetStore.Writer(transaction).apply([stack])
                let action = try Reader(transaction).origin(of: effect.entry).action
                if action.isUndoTold {
                    try NoticeStore.Writer(transaction).notify(record.user, of: entry, by: nil)
                }
            }
            return try Reader(transaction).nextEnd()
        }
    }
    static let dueEffectsQuery = """
        SELECT id, facet, subject_id, community_id, seq, state, ends_at, is_site FROM moderation_effect
        WHERE ends_at <= ?1 AND ended_at IS NULL ORDER BY ends_at, id LIMIT ?2
        """
}

extension ModerationStore.Reader {
    fileprivate func nextEnd() throws -> Int64? {
        try reader.first(Self.nextEndQuery, [.integer(0)]) { $0.integer(0) }
    }

    static let nextEndQuery = """
        SELECT ends_at FROM moderation_effect WHERE ends_at > ?1 AND ended_at IS NULL ORDER BY ends_at, id LIMIT 1
        """
}

extension ModerationStore.Writer {
    /// Reverts one entry. `known` is the origin of the entry, if it has been read. `grantsAppeal` is true if the revert
    /// grants an appeal; the permission has then been checked for the decision.
    func takeBack(
        _ entry: ModlogEntryID, from known: UndoOrigin? = nil, by actor: ModerationAuthority?, batch: BatchID,
        reason: String, grantsAppeal: Bool = false
    ) throws -> ModerationOutcome.Result {
        guard var record = try ModlogStore.Reader(transaction).ending(of: entry, .undo, batch) else {
            throw ModerationError.batchNotFound
        }
        let origin = try known ?? stored.origin(of: entry)
        guard origin.isReversible else {
            throw ModerationError.notApplicable(
                "The end of an expired action cannot be undone. Order the action again.")
        }
        try stored.judge(
            origin.action, by: actor, in: record.community, on: grantsAppeal ? nil : record.user,
            isOwnAct: origin.actor == actor?.user)
        let scope = actor?.scope ?? .site
        record.actor = actor?.user
        record.scope = scope
        record.reason = reason
        let isRevival = !origin.depth.isMultiple(of: 2)
        let effects = try transaction.rows(
            isRevival ? Self.endedEffectsQuery : Self.effectsOfEntryQuery,
            [.integer((isRevival ? entry : origin.entry).rawValue)], StoredEffect.init(row:))
        let isOfSite = origin.scope == .site || effects.contains { $0.effect.scope == .site }
        guard scope == .site || !isOfSite else { throw ModerationError.siteDecision }
        var stacks: [FacetStack] = []
        for key in Set(effects.map(\.key)) {
            guard let stack = try FacetStore.Writer(transaction).stack(key) else { continue }
            let isHeld = effects.contains { $0.key == key && stack.holds($0.effect) }
            if isRevival || isHeld { stacks.append(stack) }
        }
        let revived = effects.filter { $0.endsAt.map { $0 > transaction.expiryTime } ?? true }
        guard !stacks.isEmpty, !isRevival || !revived.isEmpty else {
            return ModerationOutcome.Result(subject: record.subject, isChanged: false, entry: nil)
        }
        let undo = try ModlogStore.Writer(transaction).append(record)
        for index in stacks.indices {
            let key = stacks[index].key
            if isRevival {
                try FacetStore.Writer(transaction).revive(
                    revived.filter { $0.key == key }.map(\.effect), in: &stacks[index], by: scope)
            } else {
                try FacetStore.Writer(transaction).end(
                    effects.filter { $0.key == key }.map(\.effect), of: &stacks[index], by: undo)
            }
        }
        try FacetStore.Writer(transaction).apply(stacks)
        // graphd itself only takes back holds that were waiting for a classifier.
        if let actor, origin.action.isUndoTold {
            try NoticeStore.Writer(transaction).notify(
                record.user, of: isRevival ? origin.entry : undo, by: actor.user)
        }
        return ModerationOutcome.Result(subject: record.subject, isChanged: true, entry: undo)
    }

    private static let effectColumns =
        "SELECT id, facet, subject_id, community_id, seq, state, ends_at, is_site FROM moderation_effect"
    static let effectsOfEntryQuery = "\(effectColumns) WHERE seq = ?1 AND ended_at IS NULL"
    static let endedEffectsQuery = "\(effectColumns) WHERE ended_by = ?1"
}

/// An effect and its facet.
private struct StoredEffect {
    let id: Int64
    let key: FacetKey
    let effect: FacetStack.Effect
    var endsAt: Int64? { effect.endsAt }

    init(row: any SQLRow) throws {
        let facet = try row.choice(1, of: Facet.self)
        id = row.integer(0)
        let community = row.integer(3)
        key = FacetKey(facet, row.integer(2), in: community == 0 ? nil : CommunityID(rawValue: community))
        effect = FacetStack.Effect(
            id: row.integer(0), entry: ModlogEntryID(rawValue: row.integer(4)),
            step: try FacetStep(facet, text: row.text(5)),
            endsAt: row.optionalInteger(6), scope: ModerationScope(isSite: row.integer(7)))
    }
}
