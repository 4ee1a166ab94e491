import Database
import SocialGraph

/// The effects in force on a facet, the newest last, over its base: the state before any effect.
/// ``EffectiveFacetState`` defines how they combine.
///
/// Only the newest effects of each scope are read. The newest one of the site and the newest one of all determine a
/// state that effects replace as a whole; older ones matter when these have ended. Effects on a membership change parts
/// of it, so all of them are read, and their number is limited. No strike depends on another, so none is read.
struct FacetStack {
    struct Effect {
        let id: Int64
        let entry: ModlogEntryID
        let step: FacetStep
        let endsAt: Int64?
        var scope: ModerationScope
    }

    /// Number of effects of each scope that are read for a state that effects replace as a whole. At least two, so that
    /// one is left after the newest has ended. More than two help ``lasts(until:in:isSameInBase:isSame:)``.
    static let effectsRead = 16

    let key: FacetKey
    var base: FacetState
    var effects: [Effect]
    /// True if the base has its row.
    var isStored: Bool
    /// Scopes that may have older effects than those read.
    var cutScopes: Set<ModerationScope> = []

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
    /// unrelated step. Returns false if only effects that were not read could tell.
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
        if isSameInBase, !cutScopes.contains(scope) { return true }
        return endsAt.map { latest >= $0 } ?? false
    }

    /// Returns whether an effect is in force that was so before the stack was adjusted to the current state.
    func holds(_ effect: Effect) -> Bool {
        key.facet == .strike || cutScopes.contains(effect.scope) || effects.contains { $0.id == effect.id }
    }
}

extension FacetStack.Effect {
    /// Decodes the columns `id, seq, state, ends_at, is_site`.
    fileprivate init(_ row: any SQLRow, of facet: Facet) throws {
        self.init(
            id: row.integer(0), entry: ModlogEntryID(rawValue: row.integer(1)),
            step: try FacetStep(facet, text: row.text(2)), endsAt: row.optionalInteger(3),
            scope: ModerationScope(isSite: row.integer(4)))
    }
}

extension FacetStore.Reader {
    fileprivate func storedStack(_ key: FacetKey) throws -> FacetStack? {
        guard key.facet != .strike else {
            return FacetStack(key: key, base: .flag(since: nil), effects: [], isStored: true)
        }
        let limit = key.facet == .membership ? Int.max : FacetStack.effectsRead
        let scopes = ModerationScope.allCases
        let queries = scopes.map { scope in
            SQLQuery(Self.newestEffectsQuery, key.arguments + [.flag(scope == .site), .integer(Int64(limit))])
        }
        var (base, effects): (FacetState?, [FacetStack.Effect]) = (nil, [])
        try reader.fetch([SQLQuery(Self.baseQuery, key.arguments)] + queries) { index, row in
            guard index > 0 else {
                base = try FacetState(key.facet, text: row.text(0))
                return false
            }
            effects.append(try FacetStack.Effect(row, of: key.facet))
            return true
        }
        guard let base else { return nil }
        return FacetStack(
            key: key, base: base, effects: effects.sorted { $0.id < $1.id }, isStored: true,
            cutScopes: Set(scopes.filter { scope in effects.count { $0.scope == scope } == limit }))
    }

    static let baseQuery =
        "SELECT state FROM moderation_base WHERE subject_id = ?1 AND facet = ?2 AND community_id = ?3"
    static let newestEffectsQuery = """
        SELECT id, seq, state, ends_at, is_site FROM moderation_effect
        WHERE subject_id = ?1 AND facet = ?2 AND community_id = ?3 AND is_site = ?4 AND ended_at IS NULL
        ORDER BY id DESC LIMIT ?5
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
        rest.cutScopes = stack.cutScopes.intersection([.site])
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

    /// Puts a new effect on top. `apply` writes the resulting state. Throws ``ModerationError/notApplicable(_:)`` if
    /// the membership has all the effects that it may have.
    func push(
        _ step: FacetStep, on stack: inout FacetStack, as entry: ModlogEntryID, endsAt: Int64?,
        by scope: ModerationScope
    ) throws {
        try requireRoom(for: 1, on: stack)
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

    /// Takes out effects of one entry, which are in force. `apply` writes the resulting state. The base is deleted with
    /// the last effect.
    func end(_ effects: [FacetStack.Effect], of stack: inout FacetStack, by entry: ModlogEntryID) throws {
        for effect in effects {
            try transaction.execute(
                "UPDATE moderation_effect SET ended_at = ?2, ended_by = ?3 WHERE id = ?1",
                [.integer(effect.id), .integer(transaction.now), .integer(entry.rawValue)])
        }
        stack.effects.removeAll { effect in effects.contains { $0.id == effect.id } }
        guard stack.effects.isEmpty, stack.key.facet != .strike else { return }
        try transaction.execute(Self.deleteBaseStatement, stack.key.arguments)
        stack.isStored = false
    }

    /// Restores effects that an undo has ended to their positions. `apply` writes the resulting state. An effect that
    /// the site restores belongs to the site from then on. Throws ``ModerationError/notApplicable(_:)`` like
    /// ``push(_:on:as:endsAt:by:)``.
    func revive(_ effects: [FacetStack.Effect], in stack: inout FacetStack, by scope: ModerationScope) throws {
        try requireRoom(for: effects.count, on: stack)
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

    private func requireRoom(for count: Int, on stack: FacetStack) throws {
        let limit = ModerationLimits.effectsPerMembership
        guard stack.key.facet != .membership || stack.effects.count + count <= limit else {
            throw ModerationError.notApplicable(
                "This user has \(limit) actions in force in the community. Undo one of them first.")
        }
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
