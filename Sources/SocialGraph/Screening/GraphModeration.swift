import Database

/// The moderation module as the graph calls it: it judges new content, and knows why a user is suspended.
package protocol GraphModeration: AnyObject, Sendable {
    /// Judges `draft`, then runs `body` with the verdict in a transaction of `database`; the verdict is nil if there
    /// are no rules.
    func writeScreened<Value: Sendable>(
        _ draft: ScreeningDraft, to database: any GraphDatabase,
        _ body: @escaping @Sendable ((any ScreeningVerdict)?, any GraphTransaction) throws -> Value
    ) async throws -> Value

    /// Carries out the verdict on a post or comment that `transaction` has written or edited. Returns whether the
    /// transaction notifies others now; if not, moderation notifies them when it releases the content.
    func screen(
        _ subject: ModerationSubject, isNew: Bool, _ verdict: (any ScreeningVerdict)?, in community: CommunityID?,
        _ transaction: any GraphTransaction
    ) throws -> Bool

    /// Carries out the verdict on texts about a person or a community, written by `user`. Throws
    /// ``GraphError/refusedByRule(_:)``.
    func screen(
        _ texts: [String?], of subject: ModerationSubject, by user: UserID, _ verdict: (any ScreeningVerdict)?,
        _ transaction: any GraphTransaction
    ) throws

    /// Ends the judging of a deleted post or comment.
    func endScreening(of subject: ModerationSubject, _ transaction: any GraphTransaction) throws

    /// The suspension of `user`; nil: the user is not suspended.
    func suspension(of user: UserID, _ reader: any SQLReader) throws -> Suspension?

    /// Removes up to about `limit` reports, appeals and notes of a deleted account; false: nothing is left.
    func erase(_ user: UserID, limit: Int, _ transaction: any GraphTransaction) throws -> Bool
}

/// A judgement made before the transaction that carries it out.
package protocol ScreeningVerdict: Sendable {}

extension GraphDatabase {
    /// Judges `draft`, then runs `body` in a transaction, which carries the verdict out.
    package func writeScreened<Value: Sendable>(
        _ draft: ScreeningDraft,
        _ body: @escaping @Sendable ((any ScreeningVerdict)?, any GraphTransaction) throws -> Value
    ) async throws -> Value {
        guard let moderation = graphHooks?.moderation else {
            return try await write(readingAhead: { draft.ahead?.queries() ?? [] }) { try body(nil, $0) }
        }
        return try await moderation.writeScreened(draft, to: self, body)
    }
}

extension GraphTransaction {
    /// Carries out the verdict on a post or comment; true: the transaction notifies others now.
    package func screen(
        _ subject: ModerationSubject, isNew: Bool, _ verdict: (any ScreeningVerdict)?, in community: CommunityID?
    ) throws -> Bool {
        try graphHooks?.moderation.screen(subject, isNew: isNew, verdict, in: community, self) ?? true
    }

    /// Carries out the verdict on texts about a person or a community.
    func screen(
        _ texts: [String?], of subject: ModerationSubject, by user: UserID, _ verdict: (any ScreeningVerdict)?
    ) throws {
        try graphHooks?.moderation.screen(texts, of: subject, by: user, verdict, self)
    }

    /// Ends the judging of a deleted post or comment.
    func endScreening(of subject: ModerationSubject) throws {
        try graphHooks?.moderation.endScreening(of: subject, self)
    }
}

extension PostStore.Reader {
    /// The community that `post` is in; nil: none.
    package func screenedCommunity(of post: PostID) throws -> CommunityID? {
        try reader.first("SELECT community_id FROM post WHERE id = ?1", [.post(post)]) {
            $0.optionalInteger(0).map(CommunityID.init(rawValue:))
        } ?? nil
    }
}
