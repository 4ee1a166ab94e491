/// What stands of a facet: its base, which is what was there before any effect, and the effects in force, the newest
/// last. Each effect's state replaces the one below it, but for a place, where it is a step from one to the next.
struct FacetStack {
    struct Effect {
        let id: Int64
        let entry: ModlogEntryID
        let state: String
        let endsAt: Int64?
    }

    let key: FacetKey
    var base: String
    var effects: [Effect]
    /// Whether the base has its row.
    var isStored: Bool

    /// What the effects make of the base.
    var state: String {
        effects.reduce(base) { below, effect in
            guard key.facet == .place else { return effect.state }
            return Place(text: below).after(PlaceStep(text: effect.state)).text
        }
    }

    /// Whether what a new effect would say is said already, at least until `endsAt` (nil: for ever). `isSame` of an
    /// effect's state: whether it says so; nil: neither so nor the opposite.
    func lasts(until endsAt: Int64?, isSameInBase: Bool, isSame: (String) -> Bool?) -> Bool {
        var latest = Int64.min
        for effect in effects.reversed() {
            guard let same = isSame(effect.state) else { continue }
            guard same else { return endsAt.map { latest >= $0 } ?? false }
            guard let end = effect.endsAt else { return true }
            latest = max(latest, end)
        }
        return isSameInBase || endsAt.map { latest >= $0 } ?? false
    }
}

extension GraphStore {
    /// A facet's stack, brought in line with what is there: where users have changed that themselves since, their
    /// change is the base of what is to come, and the effects so far hold nothing any more. Nil: the subject is gone.
    static func stack(_ key: FacetKey, in transaction: any GraphTransaction) throws -> FacetStack? {
        guard let actual = try state(of: key, transaction) else { return nil }
        guard var stack = try storedStack(key, transaction) else {
            return FacetStack(key: key, base: actual, effects: [], isStored: false)
        }
        if key.facet == .strike { return stack }
        if key.facet == .place {
            let (found, expected) = (Place(text: actual), Place(text: stack.state))
            let shown = expected.shown(isOwner: found.member?.role == .owner)
            if shown == found { return stack }
            if let isInHome = found.member?.isInHome, shown.showing(isInHome) == found {
                try show(isInHome, in: &stack, transaction)
                return stack
            }
        } else if stack.state == actual {
            return stack
        }
        try transaction.execute(supersedeStatement, key.arguments + [.integer(transaction.now)])
        try transaction.execute(deleteBaseStatement, key.arguments)
        return FacetStack(key: key, base: actual, effects: [], isStored: false)
    }

    /// The member has switched the community in or out of the home timeline, which no moderator decides on.
    private static func show(
        _ isInHome: Bool, in stack: inout FacetStack, _ transaction: any GraphTransaction
    ) throws {
        stack.base = Place(text: stack.base).showing(isInHome).text
        try transaction.execute(rebaseStatement, stack.key.arguments + [.text(stack.base)])
        stack.effects = try stack.effects.map { effect in
            guard case .approve(let position, _) = PlaceStep(text: effect.state) else { return effect }
            let state = PlaceStep.approve(position: position, isInHome: isInHome).text
            try transaction.execute(restateStatement, [.integer(effect.id), .text(state)])
            return FacetStack.Effect(id: effect.id, entry: effect.entry, state: state, endsAt: effect.endsAt)
        }
    }

    static let restateStatement = "UPDATE moderation_effect SET state = ?2 WHERE id = ?1"

    private static func storedStack(_ key: FacetKey, _ reader: any SQLReader) throws -> FacetStack? {
        let base = try reader.first(baseQuery, key.arguments) { $0.text(0) }
        guard base != nil || key.facet == .strike else { return nil }
        let effects = try reader.rows(activeEffectsQuery, key.arguments) { row in
            FacetStack.Effect(
                id: row.integer(0), entry: ModlogEntryID(rawValue: row.integer(1)), state: row.text(2),
                endsAt: row.optionalInteger(3))
        }
        return FacetStack(key: key, base: base ?? "", effects: effects, isStored: true)
    }

    static let baseQuery =
        "SELECT state FROM moderation_base WHERE subject_id = ?1 AND facet = ?2 AND community_id = ?3"
    static let activeEffectsQuery = """
        SELECT id, seq, state, ends_at FROM moderation_effect
        WHERE subject_id = ?1 AND facet = ?2 AND community_id = ?3 AND ended_at IS NULL ORDER BY id
        """
    static let rebaseStatement =
        "UPDATE moderation_base SET state = ?4 WHERE subject_id = ?1 AND facet = ?2 AND community_id = ?3"
    static let supersedeStatement = """
        UPDATE moderation_effect SET ended_at = ?4
        WHERE subject_id = ?1 AND facet = ?2 AND community_id = ?3 AND ended_at IS NULL
        """
    static let deleteBaseStatement =
        "DELETE FROM moderation_base WHERE subject_id = ?1 AND facet = ?2 AND community_id = ?3"

    /// Puts a new effect on top; `settle` makes it so.
    static func push(
        _ state: String, on stack: inout FacetStack, as entry: ModlogEntryID, endsAt: Int64?,
        in transaction: any GraphTransaction
    ) throws {
        let id = try transaction.nextID()
        try transaction.execute(
            """
            INSERT INTO moderation_effect (id, seq, facet, subject_id, community_id, state, ends_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """,
            [
                .integer(id), .integer(entry.rawValue), .text(stack.key.facet.rawValue), .integer(stack.key.subject),
                .integer(stack.key.community), .text(state), .integer(optional: endsAt),
            ])
        stack.effects.append(FacetStack.Effect(id: id, entry: entry, state: state, endsAt: endsAt))
        try storeBase(of: &stack, in: transaction)
    }

    /// Takes effects out; `settle` makes it so. The base goes with the last of them.
    static func end(
        _ isEnded: (FacetStack.Effect) -> Bool, of stack: inout FacetStack, by entry: ModlogEntryID,
        in transaction: any GraphTransaction
    ) throws {
        for effect in stack.effects where isEnded(effect) {
            try transaction.execute(
                "UPDATE moderation_effect SET ended_at = ?2, ended_by = ?3 WHERE id = ?1",
                [.integer(effect.id), .integer(transaction.now), .integer(entry.rawValue)])
        }
        stack.effects.removeAll(where: isEnded)
        guard stack.effects.isEmpty else { return }
        try transaction.execute(deleteBaseStatement, stack.key.arguments)
        stack.isStored = false
    }

    /// Puts effects that an undo has ended back to their places; `settle` makes it so.
    static func revive(
        _ effects: [FacetStack.Effect], in stack: inout FacetStack, _ transaction: any GraphTransaction
    ) throws {
        for effect in effects {
            try transaction.execute(
                "UPDATE moderation_effect SET ended_at = NULL, ended_by = NULL WHERE id = ?1", [.integer(effect.id)])
        }
        stack.effects = (stack.effects + effects).sorted { $0.id < $1.id }
        try storeBase(of: &stack, in: transaction)
    }

    private static func storeBase(of stack: inout FacetStack, in transaction: any GraphTransaction) throws {
        guard !stack.isStored, stack.key.facet != .strike else { return }
        try transaction.execute(
            "INSERT INTO moderation_base (facet, subject_id, community_id, state) VALUES (?1, ?2, ?3, ?4)",
            [
                .text(stack.key.facet.rawValue), .integer(stack.key.subject), .integer(stack.key.community),
                .text(stack.base),
            ])
        stack.isStored = true
    }
}

extension SQLValue {
    static func integer(optional value: Int64?) -> SQLValue { value.map(SQLValue.integer) ?? .null }
}
