import Database
import SocialGraph

/// The effects in force on a facet, the newest last, over its base: the state before any effect.
/// ``EffectiveFacetState`` defines how they combine.
struct FacetStack {
    struct Effect {
        let id: Int64
        let entry: ModlogEntryID
        let step: FacetStep
        let endsAt: Int64?
        var scope: ModerationScope
    }

    let key: FacetKey
    var base: FacetState
    var effects: [Effect]
    /// True if the base has its row.
    var isStored: Bool

    /// The state that results from the base and the effects.
    var state: FacetState { effective.state }

    /// Returns whether an effect of a community would change a decision of the site.
    func isDecidedBySite(against step: FacetStep) -> Bool {
        var effective = effective
        return !effective.apply(step, by: .community)
    }

    private var effective: EffectiveFacetState {
        var effective = EffectiveFacetState(key.facet, base: base)
        for effect in effects { effective.apply(effect.step, by: effect.scope) }
        return effective
    }

    /// Returns whether a new effect of `scope` would add nothing to those of the same scope, at least until `endsAt`
    /// (nil for ever). `isSame` returns true for a step with the same meaning, false for the opposite, and nil for an
    /// unrelated step.
    func lasts(
        until endsAt: Int64?, in scope: ModerationScope, isSameInBase: Bool, isSame: (FacetStep) -> Bool?
    ) -> Bool {
        var latest = Int64.min
        for effect in effects.reversed() where effect.scope == scope {
            guard let same = isSame(effect.step) else { continue }
            guard same else { return endsAt.map { latest >= $0 } ?? false }
            guard let end = effect.endsAt else { return true }
            latest = max(latest, end)
        }
        return isSameInBase || endsAt.map { latest >= $0 } ?? false
    }
}

extension FacetStore.Reader {
    fileprivate func storedStack(_ key: FacetKey) throws -> FacetStack? {
        var (base, effects): (FacetState?, [FacetStack.Effect]) = (nil, [])
        let queries = [Self.baseQuery, Self.activeEffectsQuery].map { SQLQuery($0, key.arguments) }
        try reader.fetch(queries) { index, row in
            guard index > 0 else {
                base = try FacetState(key.facet, text: row.text(0))
                return false
            }
            effects.append(
                FacetStack.Effect(
                    id: row.integer(0), entry: ModlogEntryID(rawValue: row.integer(1)),
                    step: try FacetStep(key.facet, text: row.text(2)), endsAt: row.optionalInteger(3),
                    scope: ModerationScope(isSite: row.integer(4))))
            return true
        }
        guard base != nil || key.facet == .strike else { return nil }
        return FacetStack(key: key, base: base ?? .flag(since: nil), effects: effects, isStored: true)
    }

    static let baseQuery =
        "SELECT state FROM moderation_base WHERE subject_id = ?1 AND facet = ?2 AND community_id = ?3"
    static let activeEffectsQuery = """
        SELECT id, seq, state, ends_at, is_site FROM moderation_effect
        WHERE subject_id = ?1 AND facet = ?2 AND community_id = ?3 AND ended_at IS NULL ORDER BY id
        """
}

extension FacetStore.Writer {
    /// Returns a facet's stack, adjusted to the current state. If users have changed the state themselves, their change
    /// is the base of later effects, and earlier effects have no force any more. Returns nil if the subject is gone.
    func stack(_ key: FacetKey) throws -> FacetStack? {
        guard let actual = try stored.state(of: key) else { return nil }
        guard var stack = try stored.storedStack(key) else {
            return FacetStack(key: key, base: actual, effects: [], isStored: false)
        }
        if key.facet == .strike { return stack }
        if case .membership(let found) = actual {
            let expected = try key.membership(in: stack.state)
            let shown = expected.shown(isOwner: found.member?.role == .owner)
            if shown == found { return stack }
            if let isInHome = found.member?.isInHome, shown.showing(isInHome) == found {
                try show(isInHome, in: &stack)
                return stack
            }
        } else if stack.state == actual {
            return stack
        }
        return try supersede(stack, by: actual)
    }

    /// Ends effects that users have overridden by changing the same state themselves. The site's effects remain if they
    /// determine the current state: a user who was demoted by the site, left and joined again is still bound by the
    /// demotion.
    private func supersede(_ stack: FacetStack, by actual: FacetState) throws -> FacetStack {
        let key = stack.key
        var rest = FacetStack(key: key, base: actual, effects: [], isStored: false)
        rest.effects = stack.effects.filter { $0.scope == .site }
        let isKept: Bool
        if case .membership(let found) = actual {
            isKept = try key.membership(in: rest.state).shown(isOwner: found.member?.role == .owner) == found
        } else {
            isKept = rest.state == actual
        }
        guard isKept, !rest.effects.isEmpty else {
            try transaction.execute(Self.supersedeStatement, key.arguments + [.integer(transaction.now)])
            try transaction.execute(Self.deleteBaseStatement, key.arguments)
            return FacetStack(key: key, base: actual, effects: [], isStored: false)
        }
        try transaction.execute(
            "\(Self.supersedeStatement) AND is_site = 0", key.arguments + [.integer(transaction.now)])
        try transaction.execute(Self.rebaseStatement, key.arguments + [.text(actual.text)])
        rest.isStored = true
        return rest
    }

    /// Records whether the member shows the community in the home timeline, which no moderator decides.
    private func show(_ isInHome: Bool, in stack: inout FacetStack) throws {
        stack.base = .membership(try stack.key.membership(in: stack.base).showing(isInHome))
        try transaction.execute(Self.rebaseStatement, stack.key.arguments + [.text(stack.base.text)])
        stack.effects = try stack.effects.map { effect in
            guard case .membership(.approve(let position, _)) = effect.step else { return effect }
            let step = FacetStep.membership(.approve(position: position, isInHome: isInHome))
            try transaction.execute(Self.restateStatement, [.integer(effect.id), .text(step.text)])
            return FacetStack.Effect(
                id: effect.id, entry: effect.entry, step: step, endsAt: effect.endsAt, scope: effect.scope)
        }
    }

    static let restateStatement = "UPDATE moderation_effect SET state = ?2 WHERE id = ?1"
    static let rebaseStatement =
        "UPDATE moderation_base SET state = ?4 WHERE subject_id = ?1 AND facet = ?2 AND community_id = ?3"
    static let supersedeStatement = """
        UPDATE moderation_effect SET ended_at = ?4
        WHERE subject_id = ?1 AND facet = ?2 AND community_id = ?3 AND ended_at IS NULL
        """
    static let deleteBaseStatement =
        "DELETE FROM moderation_base WHERE subject_id = ?1 AND facet = ?2 AND community_id = ?3"

    /// Puts a new effect on top. `apply` writes the resulting state.
    func push(
        _ step: FacetStep, on stack: inout FacetStack, as entry: ModlogEntryID, endsAt: Int64?,
        by scope: ModerationScope
    ) throws {
        let id = try transaction.nextID()
        try transaction.execute(
            """
            INSERT INTO moderation_effect (id, seq, facet, subject_id, community_id, state, ends_at, is_site)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """,
            [
                .integer(id), .integer(entry.rawValue), .text(stack.key.facet.rawValue), .integer(stack.key.subject),
                .integer(stack.key.community), .text(step.text), .integer(optional: endsAt),
                .flag(scope == .site),
            ])
        stack.effects.append(
            FacetStack.Effect(id: id, entry: entry, step: step, endsAt: endsAt, scope: scope))
        try storeBase(of: &stack)
    }

    /// Takes effects out. `apply` writes the resulting state. The base is deleted with the last effect.
    func end(_ isEnded: (FacetStack.Effect) -> Bool, of stack: inout FacetStack, by entry: ModlogEntryID) throws {
        for effect in stack.effects where isEnded(effect) {
            try transaction.execute(
                "UPDATE moderation_effect SET ended_at = ?2, ended_by = ?3 WHERE id = ?1",
                [.integer(effect.id), .integer(transaction.now), .integer(entry.rawValue)])
        }
        stack.effects.removeAll(where: isEnded)
        guard stack.effects.isEmpty else { return }
        try transaction.execute(Self.deleteBaseStatement, stack.key.arguments)
        stack.isStored = false
    }

    /// Restores effects that an undo has ended to their positions. `apply` writes the resulting state. An effect that
    /// the site restores belongs to the site from then on.
    func revive(_ effects: [FacetStack.Effect], in stack: inout FacetStack, by scope: ModerationScope) throws {
        let effects = effects.map { effect in
            var effect = effect
            if scope == .site { effect.scope = .site }
            return effect
        }
        for effect in effects {
            try transaction.execute(
                "UPDATE moderation_effect SET ended_at = NULL, ended_by = NULL, is_site = ?2 WHERE id = ?1",
                [.integer(effect.id), .flag(effect.scope == .site)])
        }
        stack.effects = (stack.effects + effects).sorted { $0.id < $1.id }
        try storeBase(of: &stack)
    }

    private func storeBase(of stack: inout FacetStack) throws {
        guard !stack.isStored, stack.key.facet != .strike else { return }
        try transaction.execute(
            "INSERT INTO moderation_base (facet, subject_id, community_id, state) VALUES (?1, ?2, ?3, ?4)",
            [
                .text(stack.key.facet.rawValue), .integer(stack.key.subject), .integer(stack.key.community),
                .text(stack.base.text),
            ])
        stack.isStored = true
    }
}

extension SQLValue {
    static func integer(optional value: Int64?) -> SQLValue { value.map(SQLValue.integer) ?? .null }
}
