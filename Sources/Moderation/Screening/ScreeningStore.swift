import Database
import SocialGraph

/// Content is judged before the transaction that writes it, and the verdict is applied with the write. Moderators of
/// the community and of the site are not judged, nor are imports.
package struct ScreeningStore: Sendable {
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
        /// Queries that see the writes of the transaction.
        var stored: Reader { Reader(transaction) }
    }
}

extension ScreeningStore.Reader {
    /// Returns the roles that exempt an author from being judged.
    func ranks(of user: UserID, in community: CommunityID?) throws -> (isOfSite: Bool, isOfCommunity: Bool) {
        let found = try reader.first(
            Self.ranksQuery, [.user(user), community.map(SQLValue.community) ?? .null]
        ) { row in
            (
                isOfSite: row.optionalText(0) != nil,
                isOfCommunity: try row.optionalChoice(1, of: CommunityRole.self)?.isModerating == true
            )
        }
        return found ?? (false, false)
    }

    static let ranksQuery = """
        SELECT a.site_role, m.role FROM account a
        LEFT JOIN community_member m ON m.user_id = a.id AND m.community_id = ?2
        WHERE a.id = ?1
        """
}

extension ScreeningStore.Writer {
    /// Applies the judgement of a post or comment that was written or edited just now. Returns whether others can see
    /// it afterwards. If not, ``announceIfDue(_:in:)`` sends the notifications later. Throws ``StaleScreening`` if the
    /// judged text differs from the stored one. Applies no rule to a text itself.
    func screen(
        _ subject: ModerationSubject, isNew: Bool, _ screening: Screening, in community: CommunityID?
    ) throws -> Bool {
        if !isNew { try ClassifierStore.Writer(transaction).withdrawQuestions(about: subject) }
        let versions = try RuleStore.Reader(transaction).ruleVersions(in: community)
        guard versions == screening.versions else { throw StaleScreening() }
        if !versions.isEmpty {
            try carryOut(screening, on: subject, isNew: isNew, in: community)
        } else if isNew {
            return true
        }
        guard try !ClassifierStore.Reader(transaction).isShown(subject) else {
            // Any wait of the earlier version is over.
            if !isNew { try ClassifierStore.Writer(transaction).announceIfDue(subject) }
            return true
        }
        try ClassifierStore.Writer(transaction).withhold(subject, isNew: isNew)
        return false
    }

    private func carryOut(
        _ screening: Screening, on subject: ModerationSubject, isNew: Bool, in community: CommunityID?
    ) throws {
        guard let content = try ScreenedContent(subject, in: transaction) else { return }
        // Compares bytes: comparing strings would ignore differences in normalisation.
        let isSame = content.texts.elementsEqual(screening.texts) { $0.utf8.elementsEqual($1.utf8) }
        guard isSame else { throw StaleScreening(texts: content.texts) }
        let ranks = try stored.ranks(of: content.author, in: community)
        for scope in ScreeningStore.Reader.judgingScopes(ranks, community)
        where screening.versions.version(of: scope) != nil {
            guard let judgement = screening.judgement(of: scope) else { throw StaleScreening() }
            try carryOut(judgement, on: content, isNew: isNew)
        }
    }

    /// Applies the judgement of one scope. Each scope decides for itself: an action of a community does not replace the
    /// site's. If a scope could not apply all its rules, it holds the content for its moderators.
    private func carryOut(_ judgement: ScopeJudgement, on content: ScreenedContent, isNew: Bool) throws {
        let (community, scope) = (judgement.community, ModerationScope(of: judgement.community))
        let strongest = try isNew ? self.strongest(judgement, of: content) : judgement.strongest
        if let stopped = judgement.stoppedAt, strongest.map({ $0.rule.action < .hold }) ?? true {
            let why = stopped.isTooLarge ? "are too large" : "took too many steps"
            try carryOut(
                .hold, on: content, by: scope, reason: "The rules \(why) and stopped at \(stopped.name)",
                said: "", detail: ["rule": String(stopped.id.rawValue), "name": stopped.name])
        } else if let strongest {
            let rule = strongest.rule
            try carryOut(
                rule.action, on: content, by: scope, reason: "Rule: \(rule.name)",
                said: "Matched: \(strongest.matched)",
                detail: ["rule": String(rule.id.rawValue), "name": rule.name])
        }
        guard !judgement.book.classifiers.isEmpty, strongest?.rule.action != .remove else { return }
        try ClassifierStore.Writer(transaction).ask(judgement.book.classifiers, of: community, about: content)
    }

    /// Includes the rules about authors, which count everything written until this moment.
    private func strongest(_ judgement: ScopeJudgement, of content: ScreenedContent) throws -> RuleMatch? {
        var strongest = judgement.strongest
        guard judgement.book.rules.contains(where: { !$0.isAboutContent }) else { return strongest }
        let author = try stored.completed(
            judgement.author, of: content, in: judgement.community, judgement.book)
        for (index, rule) in judgement.book.rules.enumerated() where !rule.isAboutContent {
            if let strongest {
                let isStronger = strongest.rule.action == rule.action && index < strongest.index
                guard rule.action > strongest.rule.action || isStronger else { continue }
            }
            guard let matched = rule.match(author: author, of: content.subject) else { continue }
            strongest = RuleMatch(index: index, rule: rule, matched: matched)
        }
        return strongest
    }

    /// Applies the action of a rule or a classifier of `scope`, as graphd itself. `said` is the text of a report, which
    /// only moderators see.
    func carryOut(
        _ action: RuleAction, on content: ScreenedContent, by scope: ModerationScope, reason: String, said: String,
        detail: [String: String]
    ) throws {
        let isPost = content.subject.kind == .post
        let ordered: ModerationAction
        switch action {
        case .flag:
            return try reportByItself(content, to: scope, reason: reason, note: said)
        case .hold: ordered = isPost ? .holdPost : .holdComment
        case .remove where content.community != nil: ordered = isPost ? .removePost : .removeComment
        case .remove: ordered = isPost ? .takedownPost : .takedownComment
        }
        let order = ModerationOrder(ordered, [content.subject], reason: reason)
        _ = try ModerationStore.Writer(transaction).carryOut(order, by: nil, automatic: scope, detail: detail)
    }

    /// Files a report as graphd itself to the moderators of `scope`, unless one is already open.
    private func reportByItself(
        _ content: ScreenedContent, to scope: ModerationScope, reason: String, note: String
    ) throws {
        let community = scope == .site ? nil : content.community
        try reportByItself(
            content.subject, of: content.author, to: community, reason: reason, note: note)
    }

    /// Files a report about content of `user` as graphd itself to the moderators of `community`, or (nil) of the site,
    /// unless one is already open.
    func reportByItself(
        _ subject: ModerationSubject, of user: UserID, to community: CommunityID?, reason: String, note: String
    ) throws {
        let (kind, id) = (SQLValue.text(subject.kind.rawValue), SQLValue.integer(subject.rawValue))
        let known = [kind, id, .integer(community?.rawValue ?? 0)]
        guard try !transaction.exists(Self.ownReportProbe, known) else { return }
        let report = try transaction.nextID()
        try transaction.execute(
            """
            INSERT INTO report (id, reporter_id, subject_kind, subject_id, community_id, user_id, reason, note,
                created_at, status)
            VALUES (?1, NULL, ?2, ?3, ?4, ?5, ?6, ?7, ?8, \(ReportStatus.open.literal))
            """,
            [
                .integer(report), kind, id, community.map(SQLValue.community) ?? .null,
                .user(user), .text(reason), .text(note), .integer(transaction.now),
            ])
        try transaction.record(.reportChanged(ReportID(rawValue: report)))
    }

    static let ownReportProbe = """
        SELECT 1 FROM report
        WHERE subject_kind = ?1 AND subject_id = ?2 AND reporter_id IS NULL
            AND status <> \(ReportStatus.resolved.literal)
            AND COALESCE(community_id, 0) = ?3
        """
}
