import Algorithms
import Database
import SocialGraph
import Text

extension RuleStore {
    /// Contents that a dry run reads at once.
    static let dryRunChunk = 25
    /// Maximum number of comments that a dry run searches for those of a community.
    static let dryRunWalk: Int64 = 200_000

    /// Returns the matches of `rule` among the newest `last` posts and comments of its scope, each judged as of its
    /// time of writing. Changes nothing. Examines fewer if the rule takes more than ``ModerationLimits/dryRunSteps``.
    /// Throws ``ModerationError/invalidOrder(field:_:)``, ``ModerationError/notPermitted(_:)``,
    /// ``GraphError/communityNotFound`` and ``DatabaseError/busy``.
    package func dryRun(_ rule: NewRule, last: Int, by user: UserID) async throws -> RuleDryRun {
        try rule.definition.validate()
        let compiled = try CompiledRule(
            rule.definition, id: RuleID(rawValue: 0), name: rule.name, action: rule.action)
        let subjects = try await database.read { reader in
            try Reader(reader).requireModerating(rule.community, by: user)
            return try Reader(reader).newest(last, of: rule.community)
        }
        var run = RuleDryRun()
        for chunk in subjects.chunks(ofCount: RuleStore.dryRunChunk) {
            guard run.steps < ModerationLimits.dryRunSteps else { break }
            let contents = try await database.read { [discovery = database.graphHooks?.discovery] reader in
                try chunk.compactMap { try Reader(reader).dryRunContent($0, compiled, in: rule.community, discovery) }
            }
            let before = run
            run = try await screeningState.thread.run(for: user.rawValue) {
                before.adding(contents, judgedBy: compiled)
            }
        }
        return run
    }

    /// Returns the beginning of a text on one line.
    static func excerpt(of text: String) -> String {
        let limit = ModerationLimits.excerptLength
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(limit) {
            line.append(scalar.properties.isWhitespace ? " " : scalar)
        }
        return String(line) + (text.unicodeScalars.count > limit ? "…" : "")
    }
}

extension RuleStore.Reader {
    /// Returns the content of a subject; nil if it is gone or its author is not judged.
    fileprivate func dryRunContent(
        _ subject: ModerationSubject, _ rule: CompiledRule, in community: CommunityID?,
        _ discovery: (any GraphDiscovery)?
    ) throws -> DryRunContent? {
        guard let content = try ScreenedContent(subject, reader, discovery) else { return nil }
        let ranks = try ScreeningStore.Reader(reader).ranks(of: content.author, in: community)
        let isJudged = !ranks.isOfSite && !ranks.isOfCommunity
        let author =
            try isJudged ? ScreeningStore.Reader(reader).screenedAuthor(of: content, in: community, rule.lookback) : nil
        return DryRunContent(content: content, author: author)
    }

    /// Returns the newest posts and comments of a community, or (nil) of the site, the newest first.
    fileprivate func newest(_ count: Int, of community: CommunityID?) throws -> [ModerationSubject] {
        let arguments = [.integer(Int64(count))] + RuleStore.scope(community)
        var found = try reader.rows(
            community == nil ? Self.newestPostsQuery : Self.newestPostsInQuery, arguments
        ) { ModerationSubject.post(PostID(rawValue: $0.integer(0))) }
        if let community {
            // Comments have no index by community, so those of others are skipped, up to a limit.
            var comments = 0
            try reader.forEach(Self.commentWalkQuery, [.integer(RuleStore.dryRunWalk)]) { row in
                if row.optionalInteger(1) == community.rawValue {
                    found.append(.comment(CommentID(rawValue: row.integer(0))))
                    comments += 1
                }
                return comments < count
            }
        } else {
            found += try reader.rows(Self.newestCommentsQuery, arguments) {
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
        WHERE c.id > 0 AND c.deleted_at IS NULL ORDER BY c.id DESC LIMIT ?1
        """
}

/// A content examined by a dry run. `author` is nil if the author is not judged.
struct DryRunContent: Sendable {
    let content: ScreenedContent
    let author: ScreenedAuthor?
}

extension RuleDryRun {
    func adding(_ contents: [DryRunContent], judgedBy rule: CompiledRule) -> RuleDryRun {
        var run = self
        for item in contents where run.steps < ModerationLimits.dryRunSteps {
            run.looked += 1
            guard let author = item.author else { continue }
            // Reading a row costs about as much as this number of steps.
            run.steps += 20 * (author.written.count + Int(author.posts))
            let content = item.content
            let texts = rule.isAboutContent ? content.texts.map(FoldedText.init) : []
            var budget = SearchSteps(forTexts: texts)
            let matched =
                rule.isAboutContent
                ? rule.match(texts, &budget)
                : rule.match(author: author, of: content.subject)
            run.steps += budget.spent
            run.mostSteps = max(run.mostSteps, budget.spent)
            if budget.isExhausted { run.tooCostly += 1 }
            guard let matched else { continue }
            run.matched += 1
            guard run.items.count < ModerationLimits.dryRunMatches else { continue }
            run.items.append(
                RuleDryRun.Match(
                    subject: content.subject, user: content.author, username: content.username,
                    excerpt: RuleStore.excerpt(of: content.text), matched: matched))
        }
        return run
    }
}
