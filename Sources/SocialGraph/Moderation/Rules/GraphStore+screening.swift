/// What is written is judged in the transaction that writes it. Moderators of the community, and of the site, are not
/// judged; what an import brings is not either.
extension GraphStore {
    /// Judges a post or comment that was written or edited just now, and does what the strongest of the rules that are
    /// against it says. Whether others can see it after that: if not, it is for ``announceIfDue(_:in:)`` to tell whom
    /// it concerns.
    static func screen(
        _ subject: ModerationSubject, isNew: Bool, in transaction: any GraphTransaction
    ) throws -> Bool {
        if !isNew { try withdrawQuestions(about: subject, in: transaction) }
        if let version = try setting(rulesVersion, transaction) {
            try judge(subject, isNew: isNew, version, in: transaction)
        } else if isNew {
            return true
        }
        guard try !isShown(subject, transaction) else {
            // What an earlier wording waited for is over.
            if !isNew { try announceIfDue(subject, in: transaction) }
            return true
        }
        try withhold(subject, isNew: isNew, in: transaction)
        return false
    }

    private static func judge(
        _ subject: ModerationSubject, isNew: Bool, _ version: String, in transaction: any GraphTransaction
    ) throws {
        guard let content = try ScreenedContent(subject, transaction) else { return }
        let ranks = try ranks(of: content.author, in: content.community, transaction)
        guard !ranks.isOfSite else { return }
        var scopes: [CommunityID?] = [nil]
        if let community = content.community, !ranks.isOfCommunity { scopes.append(community) }
        var strongest: (rule: CompiledRule, matched: String)?
        var classifiers: [Classifier] = []
        for scope in scopes {
            let book = try ruleBook(of: scope, version, transaction)
            classifiers += book.classifiers
            for rule in book.rules where isNew || rule.isAboutContent {
                if let strongest, strongest.rule.action >= rule.action { continue }
                if let matched = try rule.match(content, in: scope, transaction) { strongest = (rule, matched) }
            }
        }
        if let (rule, matched) = strongest {
            try carryOut(
                rule.action, on: content, reason: "Rule: \(rule.name)", said: "Matched: \(matched)",
                detail: ["rule": String(rule.id.rawValue), "name": rule.name], in: transaction)
        }
        guard !classifiers.isEmpty, strongest?.rule.action != .remove else { return }
        try ask(classifiers, about: content, in: transaction)
    }

    /// Does what a rule or a classifier says, as graphd itself. `said`: of a report, which is for moderators alone.
    static func carryOut(
        _ action: RuleAction, on content: ScreenedContent, reason: String, said: String, detail: [String: String],
        in transaction: any GraphTransaction
    ) throws {
        let isPost = content.subject.kind == .post
        let ordered: ModerationAction
        switch action {
        case .flag:
            return try reportByItself(content, reason: reason, note: said, in: transaction)
        case .hold: ordered = isPost ? .holdPost : .holdComment
        case .remove where content.community != nil: ordered = isPost ? .removePost : .removeComment
        case .remove: ordered = isPost ? .takedownPost : .takedownComment
        }
        let order = ModerationOrder(ordered, [content.subject], reason: reason)
        _ = try carryOut(order, by: nil, detail: detail, in: transaction)
    }

    /// Reports it as graphd itself, unless such a report is open.
    private static func reportByItself(
        _ content: ScreenedContent, reason: String, note: String, in transaction: any GraphTransaction
    ) throws {
        let (kind, id) = (SQLValue.text(content.subject.kind.rawValue), SQLValue.integer(content.subject.rawValue))
        guard try !transaction.exists(ownReportProbe, [kind, id]) else { return }
        let report = try transaction.nextID()
        try transaction.execute(
            """
            INSERT INTO report (id, reporter_id, subject_kind, subject_id, community_id, user_id, reason, note,
                created_at, status)
            VALUES (?1, NULL, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'open')
            """,
            [
                .integer(report), kind, id, content.community.map(SQLValue.community) ?? .null,
                .user(content.author), .text(reason), .text(note), .integer(transaction.now),
            ])
        try transaction.record(GraphChange(.reportChanged, subject: report, object: 0))
    }

    static let ownReportProbe = """
        SELECT 1 FROM report
        WHERE subject_kind = ?1 AND subject_id = ?2 AND reporter_id IS NULL AND status <> 'resolved'
        """

    /// What keeps an author from being judged.
    static func ranks(
        of user: UserID, in community: CommunityID?, _ reader: any SQLReader
    ) throws -> (isOfSite: Bool, isOfCommunity: Bool) {
        let found = try reader.first(
            ranksQuery, [.user(user), community.map(SQLValue.community) ?? .null]
        ) { row in
            (
                isOfSite: row.optionalText(0) != nil,
                isOfCommunity: row.optionalText(1).flatMap(CommunityRole.init(rawValue:))?.isModerating == true
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
