extension GraphStore {
    /// The setting that changes with every change of a rule or classifier; absent as long as there were none.
    static let rulesVersion = "rules_version"

    static func ruleBook(
        of community: CommunityID?, _ version: String, _ reader: any SQLReader
    ) throws -> RuleBook {
        try RuleBooks.book(version, community) {
            let rules = try rules(of: community, above: 0, limit: Int(SocialGraphLimits.rulesPerScope), reader)
            return RuleBook(
                rules: try rules.filter(\.isEnabled).map {
                    try CompiledRule($0.definition, id: $0.id, name: $0.name, action: $0.action)
                },
                classifiers: try classifiers(
                    of: community, above: 0, limit: Int(SocialGraphLimits.classifiersPerScope), reader
                ).filter(\.isEnabled))
        }
    }

    /// What was compiled before is not looked at again.
    static func rulesChanged(of community: CommunityID?, in transaction: any GraphTransaction) throws {
        try store(RuleBooks.newVersion(), as: rulesVersion, in: transaction)
        try transaction.record(GraphChange(.rulesChanged, subject: community?.rawValue ?? 0, object: 0))
    }

    /// Rules of the site are for its moderators, those of a community for its own as well.
    /// Throws ``GraphError/communityNotFound`` and ``ModerationError/notPermitted(_:)``.
    static func requireModerating(
        _ community: CommunityID?, by user: UserID, asOwner: Bool = false, _ reader: any SQLReader
    ) throws {
        if let community { _ = try self.community(community, reader) }
        let authority = try authority(of: user, reader)
        guard authority.may(asOwner ? .transferCommunity : .holdPost, in: community) else {
            throw ModerationError.notPermitted(.holdPost)
        }
    }
}
