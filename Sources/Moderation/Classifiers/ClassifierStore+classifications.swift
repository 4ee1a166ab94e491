import Database
import SocialGraph

/// Calls to classifiers. A call is written with its content, taken by a worker, and completed by the answer or, after
/// the time-out, by the fallback. Calls are rows, so that none is lost with the process.
extension ClassifierStore {
    /// Takes up to `limit` due calls, from any scope.
    package func takeClassifications(limit: Int, lease: Int64, at now: Int64) async throws -> [Classification] {
        let capacity = ClassificationCapacity(ofSite: limit, ofCommunities: limit, ofOneCommunity: limit)
        return try await takeClassifications(capacity, lease: lease, at: now)
    }

    /// Takes due calls within the limits of `capacity`. The worker has `lease` milliseconds to apply or postpone a
    /// call. After that the call is due again.
    package func takeClassifications(
        _ capacity: ClassificationCapacity, lease: Int64, at now: Int64
    ) async throws -> [Classification] {
        let found = try await database.read { try Reader($0).dueClassifications(capacity, at: now) }
        guard !found.isEmpty else { return [] }
        return try await database.write { transaction in
            let due = try transaction.first(
                of: found.map { SQLQuery(Self.dueQuery, [.integer($0), .integer(now)]) }, DueClassification.init(row:)
            ).compactMap(\.self)
            let contents = try Reader(transaction).classified(Set(due.map(\.subject)))
            let classifiers = try Reader(transaction).classifiers(Set(due.map(\.classifier)))
            for subject in Set(due.map(\.subject)) where contents[subject] == nil {
                try Writer(transaction).endScreening(of: subject)
            }
            return try due.compactMap { row in
                guard let content = contents[row.subject] else { return nil }
                try transaction.execute(
                    "UPDATE classification SET attempts = attempts + 1, next_at = ?2 WHERE id = ?1",
                    [.integer(row.id), .integer(now + lease)])
                let classifier = classifiers[row.classifier]
                return Classification(
                    id: row.id, classifier: classifier?.isEnabled == true ? classifier : nil,
                    fallback: row.fallback, community: row.community, subject: row.subject, dueAt: row.dueAt,
                    attempts: row.attempts + 1,
                    content: content)
            }
        }
    }

    static let dueQuery = """
        SELECT id, classifier_id, fallback, subject_kind, subject_id, due_at, attempts, scope_id FROM classification
        WHERE id = ?1 AND next_at <= ?2
        """

    /// Makes the calls of a former owner due at once if that owner is proven dead. Otherwise each is due when its own
    /// lease ends.
    package func freeClassifications(from former: FormerOwner, at now: Int64) async throws {
        guard former == .isDead else { return }
        try await database.write { transaction in
            try transaction.execute(Self.freeQuestionsStatement, [.integer(now)])
        }
    }

    static let freeQuestionsStatement = "UPDATE classification SET next_at = ?1 WHERE next_at > ?1"

    /// Postpones a call to `time`, in milliseconds since 1970, at most to its time-out.
    package func postpone(_ question: Classification, until time: Int64) async throws {
        try await database.write { transaction in
            try transaction.execute(
                "UPDATE classification SET next_at = ?3 WHERE id = ?1 AND attempts = ?2",
                [.integer(question.id), .integer(question.attempts), .integer(min(time, question.dueAt))])
        }
    }

    /// Applies a classifier's answer, or the fallback if `answer` is nil. Without effect if the call was applied, taken
    /// by another worker or withdrawn meanwhile.
    package func apply(_ question: Classification, _ answer: ClassifierAnswer?) async throws {
        try await database.write { transaction in
            let found = try transaction.first(
                "SELECT name, wait_entry, scope_id FROM classification WHERE id = ?1 AND attempts = ?2",
                [.integer(question.id), .integer(question.attempts)]
            ) {
                (
                    name: $0.text(0), wait: $0.optionalInteger(1).map(ModlogEntryID.init(rawValue:)),
                    scope: $0.integer(2) == 0 ? ModerationScope.site : .community
                )
            }
            guard let (name, wait, scope) = found else { return }
            try transaction.execute("DELETE FROM classification WHERE id = ?1", [.integer(question.id)])
            if let wait, try Reader(transaction).isOverruled(wait, question.subject) { return }
            let action = (answer?.verdict ?? question.fallback).action
            if let wait { try Writer(transaction).apply(wait, of: question.subject, action) }
            if let action, let content = try ScreenedContent(question.subject, in: transaction) {
                let said = answer == nil ? "No answer within the time limit" : answer?.reason ?? ""
                var detail = ["classifier": question.classifier.map { String($0.id.rawValue) } ?? "", "name": name]
                if let labels = answer?.labels, !labels.isEmpty {
                    detail["labels"] = labels.joined(separator: ", ")
                }
                try ScreeningStore.Writer(transaction).carryOut(
                    action, on: content, by: scope, reason: "Classifier: \(name)", said: said, detail: detail)
            }
            try Writer(transaction).announceIfDue(question.subject)
        }
    }
}

extension ClassifierStore.Reader {
    /// Returns whether moderators have decided since. Moderators of a community do not decide for the site.
    fileprivate func isOverruled(_ wait: ModlogEntryID, _ subject: ModerationSubject) throws -> Bool {
        try reader.exists(Self.overruledProbe, ClassifierStore.Writer.key(subject) + [.integer(wait.rawValue)])
    }

    static let overruledProbe = """
        SELECT 1 FROM moderation_entry WHERE subject_kind = ?1 AND subject_id = ?2 AND seq > ?3
            AND is_site >= (SELECT w.is_site FROM moderation_entry w WHERE w.seq = ?3)
            AND (ends_entry = ?3 OR actor_id IS NOT NULL
                AND action IN (\(holds.map(\.literal).joined(separator: ", "))))
        """
    private static let holds: [ModerationAction] = [.holdPost, .approvePost, .holdComment, .approveComment]

    /// Returns the contents of those of `subjects` that are not gone, in three round trips.
    fileprivate func classified(
        _ subjects: Set<ModerationSubject>
    ) throws -> [ModerationSubject: Classification.Content] {
        var (posts, comments): ([PostID], [CommentID]) = ([], [])
        for subject in subjects {
            switch subject {
            case .post(let id): posts.append(id)
            case .comment(let id): comments.append(id)
            default: break
            }
        }
        var contents: [ModerationSubject: Classification.Content] = [:]
        for post in try PostStore.Reader(reader).posts(posts, PostStore.Reader.storedPosts) {
            contents[.post(post.id)] = .post(post)
        }
        let live = try CommentStore.Reader(reader).comments(comments).compactMap(\.self).filter { !$0.isDeleted }
        let communities = try reader.first(
            of: live.map {
                SQLQuery("SELECT community_id FROM post WHERE id = ?1 AND deleted_at IS NULL", [.post($0.post)])
            }
        ) { $0.optionalInteger(0).map(CommunityID.init(rawValue:)) }
        for case (let comment, let community?) in zip(live, communities) {
            contents[.comment(comment.id)] = .comment(comment, community: community)
        }
        return contents
    }
}

extension ClassifierStore.Writer {
    /// Queues calls to classifiers of one scope about content written or edited just now. If a classifier's fallback is
    /// to hold or remove, that scope holds the content until the answer.
    func ask(_ classifiers: [Classifier], of community: CommunityID?, about content: ScreenedContent) throws {
        var wait: ModlogEntryID?
        if let first = classifiers.first(where: \.holdsMeanwhile) {
            let action: ModerationAction = content.subject.kind == .post ? .holdPost : .holdComment
            let order = ModerationOrder(action, [content.subject], reason: "Waiting for the classifier \(first.name)")
            let detail = ["classifier": String(first.id.rawValue), "name": first.name]
            wait = try ModerationStore.Writer(transaction).carryOut(
                order, by: nil, automatic: ModerationScope(of: community), detail: detail, isTold: false
            ).results.first?.entry
        }
        for classifier in classifiers {
            let entry = classifier.holdsMeanwhile ? wait : nil
            try transaction.execute(
                """
                INSERT INTO classification (id, classifier_id, name, fallback, subject_kind, subject_id, wait_entry,
                    due_at, next_at, scope_id)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
                """,
                [
                    .integer(try transaction.nextID()), .integer(classifier.id.rawValue), .text(classifier.name),
                    .text(classifier.fallback.rawValue),
                ] + Self.key(content.subject) + [
                    entry.map { .integer($0.rawValue) } ?? .null,
                    .integer(transaction.now + classifier.timeout), .integer(transaction.now),
                    .integer(community?.rawValue ?? 0),
                ])
        }
    }

    /// Withdraws the calls about an earlier version of a text. Nothing waits for their answers.
    func withdrawQuestions(about subject: ModerationSubject) throws {
        let waits = try transaction.rows(Self.waitsQuery, Self.key(subject)) { ModlogEntryID(rawValue: $0.integer(0)) }
        try transaction.execute(
            "DELETE FROM classification WHERE subject_kind = ?1 AND subject_id = ?2", Self.key(subject))
        for wait in Set(waits) { try endWait(wait, of: subject) }
    }

    static let waitsQuery = """
        SELECT wait_entry FROM classification
        WHERE subject_kind = ?1 AND subject_id = ?2 AND wait_entry IS NOT NULL
        """

    /// Releases a hold that was only waiting for an answer, and no other. Sends no notifications yet, since another
    /// hold may follow.
    private func endWait(_ entry: ModlogEntryID, of subject: ModerationSubject) throws {
        guard try !stored.isOverruled(entry, subject) else { return }
        let isNew = try stored.withheld(subject)
        try endWithholding(subject)
        _ = try ModerationStore.Writer(transaction).takeBack(
            entry, by: nil, batch: BatchID(rawValue: try transaction.nextID()),
            reason: "No longer waiting for a classifier")
        if let isNew {
            try transaction.execute(
                "INSERT INTO unannounced (subject_kind, subject_id, is_new) VALUES (?1, ?2, ?3)",
                Self.key(subject) + [.flag(isNew)])
        }
    }

    static let stillWaitsProbe =
        "SELECT 1 FROM classification WHERE subject_kind = ?1 AND subject_id = ?2 AND wait_entry = ?3"

    fileprivate func apply(_ wait: ModlogEntryID, of subject: ModerationSubject, _ action: RuleAction?) throws {
        if let action, action > .flag {
            // The decision has been made: the content waits for no other answer.
            try transaction.execute(
                """
                UPDATE classification SET wait_entry = NULL
                WHERE subject_kind = ?1 AND subject_id = ?2 AND wait_entry = ?3
                """, Self.key(subject) + [.integer(wait.rawValue)])
        } else if try transaction.exists(Self.stillWaitsProbe, Self.key(subject) + [.integer(wait.rawValue)]) {
            return
        }
        try endWait(wait, of: subject)
    }
}

private struct DueClassification {
    let id: Int64
    let classifier: ClassifierID
    let fallback: ClassifierVerdict
    let subject: ModerationSubject
    let dueAt: Int64
    let attempts: Int64
    let community: CommunityID?

    init(row: any SQLRow) throws {
        id = row.integer(0)
        classifier = ClassifierID(rawValue: row.integer(1))
        fallback = try row.choice(2)
        subject = ModerationSubject(try row.choice(3), row.integer(4))
        dueAt = row.integer(5)
        attempts = row.integer(6)
        community = row.integer(7) == 0 ? nil : CommunityID(rawValue: row.integer(7))
    }
}
