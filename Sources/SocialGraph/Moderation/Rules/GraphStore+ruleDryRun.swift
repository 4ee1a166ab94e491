extension GraphStore {
    /// What `rule` would have done with the newest `last` posts and comments of its scope, each judged as of the time
    /// it was written. Changes nothing. Throws ``ModerationError/invalidOrder(field:_:)``,
    /// ``ModerationError/notPermitted(_:)`` and ``GraphError/communityNotFound``.
    package func dryRun(_ rule: NewRule, last: Int, by user: UserID) async throws -> RuleDryRun {
        try rule.definition.validate()
        let compiled = try CompiledRule(
            rule.definition, id: RuleID(rawValue: 0), name: rule.name, action: rule.action)
        return try await database.read { reader in
            try Self.requireModerating(rule.community, by: user, reader)
            var (looked, matched) = (0, 0)
            var items: [RuleDryRun.Match] = []
            for subject in try Self.newest(last, of: rule.community, reader) {
                guard let content = try ScreenedContent(subject, reader) else { continue }
                looked += 1
                let ranks = try Self.ranks(of: content.author, in: rule.community, reader)
                guard !ranks.isOfSite, !ranks.isOfCommunity,
                    let text = try compiled.match(content, in: rule.community, reader)
                else { continue }
                matched += 1
                guard items.count < SocialGraphLimits.dryRunMatches else { continue }
                items.append(
                    RuleDryRun.Match(
                        subject: subject, user: content.author, username: content.username,
                        excerpt: Self.excerpt(of: content.text), matched: text))
            }
            return RuleDryRun(looked: looked, matched: matched, items: items)
        }
    }

    /// The newest posts and comments of a community, or (nil) of the site, the newest first.
    private static func newest(
        _ count: Int, of community: CommunityID?, _ reader: any SQLReader
    ) throws -> [ModerationSubject] {
        let arguments = [.integer(Int64(count))] + scope(community)
        var found = try reader.rows(
            community == nil ? newestPostsQuery : newestPostsInQuery, arguments
        ) { ModerationSubject.post(PostID(rawValue: $0.integer(0))) }
        if let community {
            // Comments have no order by community: those of others are passed over, to a bound.
            var (comments, walked): (Int, Int64) = (0, 0)
            try reader.forEach(commentWalkQuery, []) { row in
                walked += 1
                if row.optionalInteger(1) == community.rawValue {
                    found.append(.comment(CommentID(rawValue: row.integer(0))))
                    comments += 1
                }
                return comments < count && walked < SocialGraphLimits.dryRunWalk
            }
        } else {
            found += try reader.rows(newestCommentsQuery, arguments) {
                .comment(CommentID(rawValue: $0.integer(0)))
            }
        }
        return Array(found.sorted { $0.rawValue > $1.rawValue }.prefix(count))
    }

    static let newestPostsQuery =
        "SELECT id FROM post WHERE id > 0 AND deleted_at IS NULL ORDER BY id DESC LIMIT ?1"
    static let newestPostsInQuery =
        "SELECT id FROM post WHERE community_id = ?2 AND deleted_at IS NULL ORDER BY id DESC LIMIT ?1"
    static let newestCommentsQuery =
        "SELECT id FROM comment WHERE id > 0 AND deleted_at IS NULL ORDER BY id DESC LIMIT ?1"
    static let commentWalkQuery = """
        SELECT c.id, p.community_id FROM comment c JOIN post p ON p.id = c.post_id
        WHERE c.id > 0 AND c.deleted_at IS NULL ORDER BY c.id DESC
        """

    /// The beginning of a text, in one line.
    static func excerpt(of text: String) -> String {
        let limit = SocialGraphLimits.excerptLength
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(limit) {
            line.append(scalar.properties.isWhitespace ? " " : scalar)
        }
        return String(line) + (text.unicodeScalars.count > limit ? "…" : "")
    }
}
