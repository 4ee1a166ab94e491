import Audit
import Database
import SocialGraph

/// Rules of the site, managed by its moderators, and of communities, managed by their own moderators as well. Every
/// method throws ``ModerationError/notPermitted(_:)`` for other users. What the site's moderators do is in the audit.
package struct RuleStore: Sendable {
    let database: any GraphDatabase
    let screeningState: ScreeningState

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

extension RuleStore {
    /// Creates a rule. If it is enabled, it is in force when the call returns. Throws
    /// ``ModerationError/invalidOrder(field:_:)``, ``GraphError/communityNotFound`` and ``GraphError/limitReached(_:)``
    /// (``ModerationLimits/rulesPerScope``), and ``DatabaseError/busy`` if the rules of the scope change too often.
    package func createRule(_ rule: NewRule, by user: UserID) async throws -> ModerationRule {
        try rule.definition.validate()
        let definition = try rule.definition.stored()
        return try await writeWithRoom(for: rule.definition, in: rule.community, by: user) { transaction in
            try Reader(transaction).requireModerating(rule.community, by: user)
            try BlockAndMuteStore.Reader(transaction).requireRoom(
                Self.rulesCountQuery(rule.community == nil), Self.scope(rule.community),
                below: ModerationLimits.rulesPerScope, "rules")
            let id = RuleID(rawValue: try transaction.nextID())
            try transaction.execute(
                """
                INSERT INTO moderation_rule (id, community_id, kind, action, name, definition, is_enabled, created_at,
                    updated_at)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8)
                """,
                [
                    .integer(id.rawValue), rule.community.map(SQLValue.community) ?? .null,
                    .text(rule.definition.kind.rawValue), .text(rule.action.rawValue), .text(rule.name),
                    .text(definition), .flag(rule.isEnabled), .integer(transaction.now),
                ])
            try Writer(transaction).rulesChanged(of: rule.community)
            let added = try Reader(transaction).rule(id, by: user)
            try Writer(transaction).note(.ruleAdded, added, by: user)
            return added
        }
    }

    /// Changes a rule. Throws ``ModerationError/ruleNotFound``, ``ModerationError/invalidOrder(field:_:)``, and
    /// ``DatabaseError/busy`` if the rules of the scope change too often.
    package func changeRule(_ id: RuleID, _ change: RuleChange, by user: UserID) async throws -> ModerationRule {
        try change.definition?.validate()
        let community = try await change.definition == nil ? nil : rule(id, by: user).community
        return try await writeWithRoom(for: change.definition, replacing: id, in: community, by: user) { transaction in
            let before = try Reader(transaction).rule(id, by: user)
            let definition = change.definition ?? before.definition
            try transaction.execute(
                """
                UPDATE moderation_rule SET name = ?2, action = ?3, kind = ?4, definition = ?5, is_enabled = ?6,
                    updated_at = ?7
                WHERE id = ?1
                """,
                [
                    .integer(id.rawValue), .text(change.name ?? before.name),
                    .text((change.action ?? before.action).rawValue), .text(definition.kind.rawValue),
                    .text(try definition.stored()), .flag(change.isEnabled ?? before.isEnabled),
                    .integer(transaction.now),
                ])
            try Writer(transaction).rulesChanged(of: before.community)
            let after = try Reader(transaction).rule(id, by: user)
            let changes = after.changes(since: before)
            if !changes.isEmpty {
                try Writer(transaction).note(.ruleChanged, after, changes: changes, by: user)
            }
            return after
        }
    }

    /// Deletes a rule. Content that it has held or removed stays so. Throws ``ModerationError/ruleNotFound``.
    package func deleteRule(_ id: RuleID, by user: UserID) async throws {
        try await database.write { transaction in
            let rule = try Reader(transaction).rule(id, by: user)
            try transaction.execute("DELETE FROM moderation_rule WHERE id = ?1", [.integer(id.rawValue)])
            try Writer(transaction).rulesChanged(of: rule.community)
            try Writer(transaction).note(.ruleRemoved, rule, by: user)
        }
    }

    /// A rule. Throws ``ModerationError/ruleNotFound``.
    package func rule(_ id: RuleID, by user: UserID) async throws -> ModerationRule {
        try await database.read { try Reader($0).rule(id, by: user) }
    }

    /// The rules of a scope, the oldest first. Throws ``GraphError/communityNotFound``.
    package func rules(
        of community: CommunityID?, above cursor: RuleID?, limit: Int, by user: UserID
    ) async throws -> Page<ModerationRule, Int64> {
        try await database.read { reader in
            try Reader(reader).requireModerating(community, by: user)
            let rows = try Reader(reader).rules(of: community, above: cursor?.rawValue ?? 0, limit: limit + 1)
            return Page(rows: rows, limit: limit, cursor: \.id.rawValue)
        }
    }

    private static func rulesCountQuery(_ isOfSite: Bool) -> String {
        "SELECT COUNT(*) FROM moderation_rule WHERE community_id " + (isOfSite ? "IS NULL" : "= ?1")
    }

    static func scope(_ community: CommunityID?) -> [SQLValue] { community.map { [.community($0)] } ?? [] }
}

extension RuleStore.Reader {
    fileprivate func rule(_ id: RuleID, by user: UserID) throws -> ModerationRule {
        let rule = try reader.first(
            "\(Self.ruleColumns) WHERE id = ?1", [.integer(id.rawValue)], ModerationRule.init(row:))
        guard let rule else { throw ModerationError.ruleNotFound }
        try requireModerating(rule.community, by: user)
        return rule
    }

    func rules(of community: CommunityID?, above cursor: Int64, limit: Int) throws -> [ModerationRule] {
        let page: [SQLValue] = [.integer(cursor), .integer(Int64(limit))]
        return try reader.rows(
            community == nil ? Self.siteRulesQuery : Self.communityRulesQuery, page + RuleStore.scope(community),
            ModerationRule.init(row:))
    }

    private static let ruleColumns = """
        SELECT id, community_id, name, kind, action, definition, is_enabled, created_at, updated_at
        FROM moderation_rule
        """
    static let siteRulesQuery =
        "\(ruleColumns) WHERE community_id IS NULL AND id > ?1 ORDER BY id LIMIT ?2"
    static let communityRulesQuery =
        "\(ruleColumns) WHERE community_id = ?3 AND id > ?1 ORDER BY id LIMIT ?2"
}

extension RuleStore.Writer {
    fileprivate func note(
        _ action: AuditAction, _ rule: ModerationRule, changes: [String] = [], by user: UserID
    ) throws {
        try AuditStore.Writer(transaction).appendSiteAct(
            action, by: user, subject: rule.id.rawValue,
            detail: AuditNote.detail(rule.name, in: rule.community, changes: changes))
    }
}

extension ModerationRule {
    /// The names of the parts that somebody has changed.
    fileprivate func changes(since before: ModerationRule) -> [String] {
        let parts = [
            ("name", name != before.name), ("action", action != before.action),
            ("definition", definition != before.definition), ("enabled", isEnabled != before.isEnabled),
        ]
        return parts.filter(\.1).map(\.0)
    }

    init(row: any SQLRow) throws {
        id = RuleID(rawValue: row.integer(0))
        community = row.optionalInteger(1).map(CommunityID.init(rawValue:))
        name = row.text(2)
        action = try row.choice(4)
        definition = try RuleDefinition(try row.choice(3), stored: row.text(5))
        isEnabled = row.integer(6) != 0
        createdAt = row.integer(7)
        updatedAt = row.integer(8)
    }
}
