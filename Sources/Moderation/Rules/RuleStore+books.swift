import Database
import SocialGraph

extension RuleStore.Reader {
    /// The name of the setting that changes with every change of a rule or classifier of the scope. The setting is
    /// absent if there have never been any. Each community has its own, so that a change in one causes no work for
    /// others.
    static func rulesVersionName(of community: CommunityID?) -> String {
        community.map { "rules_version:\($0.rawValue)" } ?? "rules_version"
    }

    func ruleVersions(in community: CommunityID?) throws -> RuleVersions {
        let query = Self.ruleVersionsQuery(in: community)
        let versions = try reader.first(query.sql, query.arguments) { row in
            RuleVersions(site: row.optionalText(0), community: row.optionalText(1))
        }
        return versions ?? RuleVersions()
    }

    /// A query with one row.
    static func ruleVersionsQuery(in community: CommunityID?) -> SQLQuery {
        SQLQuery(
            "SELECT (SELECT value FROM setting WHERE name = ?1), (SELECT value FROM setting WHERE name = ?2)",
            [.text(rulesVersionName(of: nil)), .optional(community.map { rulesVersionName(of: $0) })])
    }

    /// Returns whether any scope has or had rules.
    func hasRules() throws -> Bool {
        try reader.exists(Self.anyRulesProbe, [])
    }

    static let anyRulesProbe =
        "SELECT 1 FROM setting WHERE name >= 'rules_version' AND name < 'rules_version;' LIMIT 1"

    func storedBook(of community: CommunityID?) throws -> StoredRuleBook {
        StoredRuleBook(
            rules: try rules(of: community, above: 0, limit: Int(ModerationLimits.rulesPerScope))
                .filter(\.isEnabled),
            classifiers: try ClassifierStore.Reader(reader).classifiers(
                of: community, above: 0, limit: Int(ModerationLimits.classifiersPerScope)
            ).filter(\.isEnabled))
    }

    /// Checks that `user` may manage the rules of a scope: the site's moderators for the site, and a community's own
    /// moderators as well. Throws ``GraphError/communityNotFound`` and ``ModerationError/notPermitted(_:)``.
    func requireModerating(_ community: CommunityID?, by user: UserID, asOwner: Bool = false) throws {
        if let community { _ = try CommunityStore.Reader(reader).community(community) }
        let authority = try ModerationStore.Reader(reader).authority(of: user)
        guard authority.may(asOwner ? .transferCommunity : .holdPost, in: community) else {
            throw ModerationError.notPermitted(.holdPost)
        }
    }
}

extension RuleStore.Writer {
    /// Invalidates the compiled rules of a scope.
    func rulesChanged(of community: CommunityID?) throws {
        try SettingStore.Writer(transaction).store(
            RuleBooks.newVersion(), as: RuleStore.Reader.rulesVersionName(of: community))
        try transaction.record(.rulesChanged(of: community))
    }
}

/// The rules and classifiers of one scope in stored form.
struct StoredRuleBook: Sendable {
    let rules: [ModerationRule]
    let classifiers: [Classifier]
}

extension RuleBook {
    /// The number of scalars of folded words that a book has room for. Rules of earlier versions may exceed
    /// ``ModerationLimits/foldedWordsPerScope``, so the room is larger.
    static let room = 2 * ModerationLimits.foldedWordsPerScope

    /// Compiles a book. Once a rule has more words than there is room for, it and later rules with words are not
    /// compiled (``CompiledRule/isTooLarge``). Throws ``PatternError``.
    init(_ stored: StoredRuleBook, room: Int = RuleBook.room) throws {
        var room = room
        rules = try stored.rules.map {
            try CompiledRule($0.definition, id: $0.id, name: $0.name, action: $0.action, room: &room)
        }
        classifiers = stored.classifiers
    }
}
