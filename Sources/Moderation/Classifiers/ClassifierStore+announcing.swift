import Database
import SocialGraph

/// Deferred notifications about posts and comments. Affected users are notified when the content becomes visible: at
/// once, or when moderators release it.
extension ClassifierStore.Reader {
    fileprivate func isTold(_ user: UserID, _ kind: NotificationKind, of post: PostID) throws -> Bool {
        try reader.exists(Self.toldProbe, [.post(post), .text(kind.rawValue), .user(user)])
    }

    static let toldProbe = "SELECT 1 FROM notification WHERE post_id = ?1 AND kind = ?2 AND user_id = ?3"

    /// Returns whether notifications about the subject have been deferred since its creation (true) or since an edit
    /// (false); nil if they are not deferred.
    func withheld(_ subject: ModerationSubject) throws -> Bool? {
        try reader.first(
            "SELECT is_new FROM unannounced WHERE subject_kind = ?1 AND subject_id = ?2",
            ClassifierStore.Writer.key(subject)
        ) { $0.integer(0) != 0 }
    }

    /// Returns true if the subject is neither held, removed, taken down nor deleted.
    func isShown(_ subject: ModerationSubject) throws -> Bool {
        try reader.exists(
            subject.kind == .post ? Self.shownPostProbe : Self.shownCommentProbe, [.integer(subject.rawValue)])
    }

    static let shownPostProbe = """
        SELECT 1 FROM post WHERE id = ?1 AND deleted_at IS NULL AND held_at IS NULL AND removed_at IS NULL
            AND taken_down_at IS NULL
        """

    static let shownCommentProbe = """
        SELECT 1 FROM comment WHERE id = ?1 AND deleted_at IS NULL AND held_at IS NULL AND removed_at IS NULL
            AND taken_down_at IS NULL
        """
}

extension ClassifierStore.Writer {
    /// Sends the deferred notifications about `subject` if it is no longer hidden. Called after every change of its
    /// held, removed or takedown state.
    func announceIfDue(_ subject: ModerationSubject) throws {
        guard let isNew = try stored.withheld(subject), try stored.isShown(subject) else { return }
        try endWithholding(subject)
        switch subject {
        case .post(let post): try announce(post, isNew: isNew)
        case .comment(let comment): try announce(comment, isNew: isNew)
        default: break
        }
    }

    private func announce(_ post: PostID, isNew: Bool) throws {
        let found = try transaction.first(
            "SELECT author_id, caption FROM post WHERE id = ?1", [.post(post)]
        ) { (author: UserID(rawValue: $0.integer(0)), caption: $0.text(1)) }
        guard let found else { return }
        try NotificationStore.Writer(transaction).notifyMentioned(in: found.caption, of: post, by: found.author)
        guard isNew else { return }
        try transaction.record(.postReleased(post, author: found.author))
        let partners = try CollaborationStore.Reader(transaction).partners(of: post)
        try NotificationStore.Writer(transaction).notify(
            partners.filter { try !stored.isTold($0, .collaboration, of: post) }, .collaboration,
            subject: post.rawValue, by: found.author, post: post)
        try transaction.enqueueMatch(of: post)
    }

    private func announce(_ id: CommentID, isNew: Bool) throws {
        guard let comment = try CommentStore.Reader(transaction).comment(id) else { return }
        if isNew {
            let above = try comment.parent.flatMap { try CommentStore.Reader(transaction).comment($0) }
            try NotificationStore.Writer(transaction).notifyAuthors(
                of: comment.post, .comment, by: comment.author, also: above?.author, comment: id)
        }
        try NotificationStore.Writer(transaction).notifyMentioned(
            in: comment.content, of: comment.post, comment: id, by: comment.author)
    }

    /// Defers the notifications about content that was hidden at creation or by an edit.
    func withhold(_ subject: ModerationSubject, isNew: Bool) throws {
        try transaction.execute(
            """
            INSERT INTO unannounced (subject_kind, subject_id, is_new) VALUES (?1, ?2, ?3)
            ON CONFLICT (subject_kind, subject_id) DO NOTHING
            """, Self.key(subject) + [.flag(isNew)])
        guard isNew, case .post(let post) = subject else { return }
        // Invited collaborators have been notified by the invitation.
        for partner in try CollaborationStore.Reader(transaction).partners(of: post) {
            try NotificationStore.Writer(transaction).withdrawNotifications(.collaboration, about: post, to: partner)
        }
    }

    func endWithholding(_ subject: ModerationSubject) throws {
        try transaction.execute(
            "DELETE FROM unannounced WHERE subject_kind = ?1 AND subject_id = ?2", Self.key(subject))
    }

    /// Ends the screening of deleted content: no notifications, no pending calls to classifiers, no place in the queue.
    func endScreening(of subject: ModerationSubject) throws {
        try endWithholding(subject)
        if case .comment(let comment) = subject { try FacetStore.Writer(transaction).removeFromQueue(comment) }
        try transaction.execute(
            "DELETE FROM classification WHERE subject_kind = ?1 AND subject_id = ?2", Self.key(subject))
        // The row may quote the subject.
        try transaction.execute(
            "UPDATE report SET note = '' WHERE subject_kind = ?1 AND subject_id = ?2 AND reporter_id IS NULL",
            Self.key(subject))
    }

    static func key(_ subject: ModerationSubject) -> [SQLValue] {
        [.text(subject.kind.rawValue), .integer(subject.rawValue)]
    }
}
