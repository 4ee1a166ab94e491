import Database
import SocialGraph

/// A subject with its community and the user affected by an action on it.
struct ModerationTarget {
    let subject: ModerationSubject
    let community: CommunityID?
    let user: UserID?
}

extension ModerationStore.Reader {
    /// Finds the subjects of an order in one round trip. No action moves a subject or deletes it.
    func targets(of order: ModerationOrder) throws -> [FoundTarget] {
        let isCommunity = try order.community.map { community in
            try reader.exists(Self.communityProbe, [.community(community)])
        }
        let found = try reader.first(
            of: order.subjects.map { SQLQuery(Self.targetQuery($0.kind), [.integer($0.rawValue)]) }
        ) { row in
            (
                community: row.optionalInteger(0).map(CommunityID.init(rawValue:)),
                user: row.optionalInteger(1).map(UserID.init(rawValue:))
            )
        }
        return zip(order.subjects, found).map { subject, found in
            guard let found else { return .missing(subject) }
            var target = ModerationTarget(subject: subject, community: found.community, user: found.user)
            if subject.kind == .user {
                if isCommunity == false { return .communityMissing }
                target = ModerationTarget(subject: subject, community: order.community, user: found.user)
            }
            let isElsewhere = order.community != nil && target.community != order.community
            return isElsewhere ? .elsewhere(subject) : .found(target)
        }
    }

    /// A query for the community of a subject and the affected user; no row: the subject is gone.
    private static func targetQuery(_ kind: ModerationSubjectKind) -> String {
        switch kind {
        case .post: postTargetQuery
        case .comment: commentTargetQuery
        case .user: "SELECT NULL, id FROM account WHERE id = ?1 AND deleted_at IS NULL"
        case .community: "SELECT id, NULL FROM community WHERE id = ?1"
        case .report: "SELECT community_id, user_id FROM report WHERE id = ?1"
        case .appeal: "SELECT community_id, user_id FROM appeal WHERE id = ?1"
        }
    }

    private static let communityProbe = "SELECT 1 FROM community WHERE id = ?1"
    static let postTargetQuery = "SELECT community_id, author_id FROM post WHERE id = ?1 AND deleted_at IS NULL"
    static let commentTargetQuery = """
        SELECT p.community_id, c.user_id FROM comment c JOIN post p ON p.id = c.post_id
        WHERE c.id = ?1 AND c.deleted_at IS NULL AND p.deleted_at IS NULL
        """
}

/// A subject of an order, or the reason why the order cannot be about it.
enum FoundTarget {
    case found(ModerationTarget)
    case missing(ModerationSubject)
    case communityMissing
    /// Outside the community that the order names.
    case elsewhere(ModerationSubject)

    /// Throws ``ModerationError/subjectNotFound(_:)`` and similar errors, and ``ModerationError/notApplicable(_:)`` for
    /// a subject outside the community named by the order.
    func get() throws -> ModerationTarget {
        switch self {
        case .found(let target): return target
        case .missing(.report): throw ModerationError.reportNotFound
        case .missing(.appeal): throw ModerationError.appealNotFound
        case .missing(let subject): throw ModerationError.subjectNotFound(subject)
        case .communityMissing: throw GraphError.communityNotFound
        case .elsewhere(let subject):
            throw ModerationError.notApplicable("The \(subject.kind.rawValue) is not in this community.")
        }
    }
}
