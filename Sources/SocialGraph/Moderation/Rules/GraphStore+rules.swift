/// Rules of the site (no community) are for its moderators, those of a community for its own as well; everything here
/// throws ``ModerationError/notPermitted(_:)`` of others.
extension GraphStore {
    /// In force with the acknowledgement, if it is enabled. Throws ``ModerationError/invalidOrder(field:_:)``,
    /// ``GraphError/communityNotFound`` and ``GraphError/limitReached(_:)``
    /// (``SocialGraphLimits/rulesPerScope``).
    package func createRule(_ rule: NewRule, by user: UserID) async throws -> ModerationRule {
        try rule.definition.validate()
        let definition = try rule.definition.stored()
        return try await database.write { transaction in
            try Self.requireModerating(rule.community, by: user, transaction)
            try Self.requireRoom(
                Self.rulesCountQuery(rule.community == nil), Self.scope(rule.community),
                below: SocialGraphLimits.rulesPerScope, "rules", transaction)
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
            try Self.rulesChanged(of: rule.community, in: transaction)
            return try Self.rule(id, by: user, transaction)
        }
    }

    /// Throws ``ModerationError/ruleNotFound`` and ``ModerationError/invalidOrder(field:_:)``.
    package func changeRule(_ id: RuleID, _ change: RuleChange, by user: UserID) async throws -> ModerationRule {
        try change.definition?.validate()
        return try await database.write { transaction in
            let before = try Self.rule(id, by: user, transaction)
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
            try Self.rulesChanged(of: before.community, in: transaction)
            return try Self.rule(id, by: user, transaction)
        }
    }

    /// What it has held or removed stays so. Throws ``ModerationError/ruleNotFound``.
    package func deleteRule(_ id: RuleID, by user: UserID) async throws {
        try await database.write { transaction in
            let rule = try Self.rule(id, by: user, transaction)
            try transaction.execute("DELETE FROM moderation_rule WHERE id = ?1", [.integer(id.rawValue)])
            try Self.rulesChanged(of: rule.community, in: transaction)
        }
    }

    /// Throws ``ModerationError/ruleNotFound``.
    package func rule(_ id: RuleID, by user: UserID) async throws -> ModerationRule {
        try await database.read { try Self.rule(id, by: user, $0) }
    }

    private static func rule(_ id: RuleID, by user: UserID, _ reader: any SQLReader) throws -> ModerationRule {
        let rule = try reader.first(
            "\(ruleColumns) WHERE id = ?1", [.integer(id.rawValue)], ModerationRule.init(row:))
        guard let rule else { throw ModerationError.ruleNotFound }
        try requireModerating(rule.community, by: user, reader)
        return rule
    }

    /// The oldest first. Throws ``GraphError/communityNotFound``.
    package func rules(
        of community: CommunityID?, above cursor: RuleID?, limit: Int, by user: UserID
    ) async throws -> Page<ModerationRule, Int64> {
        try await database.read { reader in
            try Self.requireModerating(community, by: user, reader)
            let rows = try Self.rules(of: community, above: cursor?.rawValue ?? 0, limit: limit + 1, reader)
            return Page(rows: rows, limit: limit, cursor: \.id.rawValue)
        }
    }

    static func rules(
        of community: CommunityID?, above cursor: Int64, limit: Int, _ reader: any SQLReader
    ) throws -> [ModerationRule] {
        let page: [SQLValue] = [.integer(cursor), .integer(Int64(limit))]
        return try reader.rows(
            community == nil ? siteRulesQuery : communityRulesQuery, page + scope(community),
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

    private static func rulesCountQuery(_ isOfSite: Bool) -> String {
        "SELECT COUNT(*) FROM moderation_rule WHERE community_id " + (isOfSite ? "IS NULL" : "= ?1")
    }

    static func scope(_ community: CommunityID?) -> [SQLValue] { community.map { [.community($0)] } ?? [] }
}

extension ModerationRule {
    init(row: any SQLRow) throws {
        guard let kind = RuleDefinition.Kind(rawValue: row.text(3)), let action = RuleAction(rawValue: row.text(4)),
            let definition = RuleDefinition(kind, stored: row.text(5))
        else { throw GraphError.storage(detail: "moderation rule \(row.integer(0))") }
        id = RuleID(rawValue: row.integer(0))
        community = row.optionalInteger(1).map(CommunityID.init(rawValue:))
        name = row.text(2)
        self.action = action
        self.definition = definition
        isEnabled = row.integer(6) != 0
        createdAt = row.integer(7)
        updatedAt = row.integer(8)
    }
}
