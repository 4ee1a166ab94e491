/// Whom a post or comment concerns is told of it when it can be seen: at once, or when moderators let it out.
extension GraphStore {
    /// Tells of `subject` whom it concerns, if that was put off because it was hidden, and it is hidden no more.
    /// To be called after every change of whether it is held, removed or taken down.
    static func announceIfDue(_ subject: ModerationSubject, in transaction: any GraphTransaction) throws {
        guard let isNew = try withheld(subject, transaction), try isShown(subject, transaction) else { return }
        try endWithholding(subject, in: transaction)
        switch subject {
        case .post(let post): try announce(post, isNew: isNew, in: transaction)
        case .comment(let comment): try announce(comment, isNew: isNew, in: transaction)
        default: break
        }
    }

    private static func announce(_ post: PostID, isNew: Bool, in transaction: any GraphTransaction) throws {
        let found = try transaction.first(
            "SELECT author_id, caption FROM post WHERE id = ?1", [.post(post)]
        ) { (author: UserID(rawValue: $0.integer(0)), caption: $0.text(1)) }
        guard let found else { return }
        try notifyMentioned(in: found.caption, of: post, by: found.author, transaction)
        guard isNew else { return }
        let partners = try transaction.rows(partnersQuery, [.post(post)]) { UserID(rawValue: $0.integer(0)) }
        for partner in partners where try !isTold(partner, .collaboration, of: post, transaction) {
            try notify(
                partner, .collaboration, subject: post.rawValue, by: found.author, post: post, in: transaction)
        }
        try enqueueMatch(of: post, in: transaction)
    }

    private static func announce(_ id: CommentID, isNew: Bool, in transaction: any GraphTransaction) throws {
        guard let comment = try comment(id, transaction) else { return }
        if isNew {
            let above = try comment.parent.flatMap { try self.comment($0, transaction) }
            try notifyAuthors(
                of: comment.post, .comment, by: comment.author, also: above?.author, comment: id, in: transaction)
        }
        try notifyMentioned(in: comment.content, of: comment.post, comment: id, by: comment.author, transaction)
    }

    private static func isTold(
        _ user: UserID, _ kind: NotificationKind, of post: PostID, _ reader: any SQLReader
    ) throws -> Bool {
        try reader.exists(toldProbe, [.post(post), .text(kind.rawValue), .user(user)])
    }

    static let toldProbe = "SELECT 1 FROM notification WHERE post_id = ?1 AND kind = ?2 AND user_id = ?3"

    /// Puts off telling of what was hidden at birth, or when it was edited.
    static func withhold(
        _ subject: ModerationSubject, isNew: Bool, in transaction: any GraphTransaction
    ) throws {
        try transaction.execute(
            """
            INSERT INTO unannounced (subject_kind, subject_id, is_new) VALUES (?1, ?2, ?3)
            ON CONFLICT (subject_kind, subject_id) DO NOTHING
            """, key(subject) + [.flag(isNew)])
        guard isNew, case .post(let post) = subject else { return }
        // Those who were asked into it have been told with that.
        for partner in try transaction.rows(partnersQuery, [.post(post)], { UserID(rawValue: $0.integer(0)) }) {
            try withdrawNotifications(.collaboration, about: post, to: partner, in: transaction)
        }
    }

    /// Whether telling of it was put off, and if so whether since it was written; nil: it was not.
    static func withheld(_ subject: ModerationSubject, _ reader: any SQLReader) throws -> Bool? {
        try reader.first(
            "SELECT is_new FROM unannounced WHERE subject_kind = ?1 AND subject_id = ?2", key(subject)
        ) { $0.integer(0) != 0 }
    }

    static func endWithholding(_ subject: ModerationSubject, in transaction: any GraphTransaction) throws {
        try transaction.execute("DELETE FROM unannounced WHERE subject_kind = ?1 AND subject_id = ?2", key(subject))
    }

    /// What was deleted is told of no more, and judged by nobody.
    static func endScreening(of subject: ModerationSubject, in transaction: any GraphTransaction) throws {
        try endWithholding(subject, in: transaction)
        try transaction.execute(
            "DELETE FROM classification WHERE subject_kind = ?1 AND subject_id = ?2", key(subject))
        // It may quote the subject.
        try transaction.execute(
            "UPDATE report SET note = '' WHERE subject_kind = ?1 AND subject_id = ?2 AND reporter_id IS NULL",
            key(subject))
    }

    /// Neither held, removed, taken down nor deleted.
    static func isShown(_ subject: ModerationSubject, _ reader: any SQLReader) throws -> Bool {
        try reader.exists(
            subject.kind == .post ? shownPostProbe : shownCommentProbe, [.integer(subject.rawValue)])
    }

    static let shownPostProbe = """
        SELECT 1 FROM post WHERE id = ?1 AND deleted_at IS NULL AND held_at IS NULL AND removed_at IS NULL
            AND taken_down_at IS NULL
        """

    static let shownCommentProbe = """
        SELECT 1 FROM comment WHERE id = ?1 AND deleted_at IS NULL AND held_at IS NULL AND removed_at IS NULL
            AND taken_down_at IS NULL
        """

    static func key(_ subject: ModerationSubject) -> [SQLValue] {
        [.text(subject.kind.rawValue), .integer(subject.rawValue)]
    }
}
