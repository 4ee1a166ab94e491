import Database
import SocialGraph

/// A subject with its community and the user affected by an action on it.
struct ModerationTarget {
    let subject: ModerationSubject
    let community: CommunityID?
    let user: UserID?
}

extension ModerationStore.Reader {
    /// Finds a subject. Throws ``ModerationError/subjectNotFound(_:)`` and similar errors, and
    /// ``ModerationError/notApplicable(_:)`` for a subject outside the community named by the order.
    func target(of subject: ModerationSubject, _ order: ModerationOrder) throws -> ModerationTarget {
        let target = try find(subject, order)
        if let community = order.community, target.community != community {
            throw ModerationError.notApplicable("The \(subject.kind.rawValue) is not in this community.")
        }
        return target
    }

    private func find(_ subject: ModerationSubject, _ order: ModerationOrder) throws -> ModerationTarget {
        let id: [SQLValue] = [.integer(subject.rawValue)]
        func target(_ query: String) throws -> ModerationTarget? {
            try reader.first(query, id) { row in
                ModerationTarget(
                    subject: subject, community: row.optionalInteger(0).map(CommunityID.init(rawValue:)),
                    user: row.optionalInteger(1).map(UserID.init(rawValue:)))
            }
        }
        switch subject {
        case .post:
            guard let found = try target(Self.postTargetQuery) else { throw ModerationError.subjectNotFound(subject) }
            return found
        case .comment:
            guard let found = try target(Self.commentTargetQuery) else {
                throw ModerationError.subjectNotFound(subject)
            }
            return found
        case .user(let user):
            guard try AccountStore.Reader(reader).exists(user) else {
                throw ModerationError.subjectNotFound(subject)
            }
            if let community = order.community { _ = try CommunityStore.Reader(reader).community(community) }
            return ModerationTarget(subject: subject, community: order.community, user: user)
        case .community(let community):
            guard try reader.exists("SELECT 1 FROM community WHERE id = ?1", id) else {
                throw ModerationError.subjectNotFound(subject)
            }
            return ModerationTarget(subject: subject, community: community, user: nil)
        case .report:
            guard let found = try target("SELECT community_id, user_id FROM report WHERE id = ?1") else {
                throw ModerationError.reportNotFound
            }
            return found
        case .appeal:
            guard let found = try target("SELECT community_id, user_id FROM appeal WHERE id = ?1") else {
                throw ModerationError.appealNotFound
            }
            return found
        }
    }

    static let postTargetQuery = "SELECT community_id, author_id FROM post WHERE id = ?1 AND deleted_at IS NULL"
    static let commentTargetQuery = """
        SELECT p.community_id, c.user_id FROM comment c JOIN post p ON p.id = c.post_id
        WHERE c.id = ?1 AND c.deleted_at IS NULL AND p.deleted_at IS NULL
        """
}
