import Database

/// A membership, a ban or a request to join.
package struct CommunityTie: Sendable, Equatable {
    /// The kind of tie; the raw value is its encoded name.
    package enum Kind: String, Sendable, CaseIterable {
        case owner, moderator, member, banned, requested

        /// The user's role; nil: the user is not in the community.
        package var role: CommunityRole? {
            switch self {
            case .owner: .owner
            case .moderator: .moderator
            case .member: .member
            case .banned, .requested: nil
            }
        }
    }

    package let community: CommunityID
    package let name: String
    package let kind: Kind
}

extension CommunityTie {
    /// A row of ``queries``.
    package init(row: any SQLRow) throws {
        community = CommunityID(rawValue: row.integer(0))
        name = row.text(1)
        kind = try row.choice(2)
    }

    /// Memberships, bans and requests of a user, in this order.
    package static let queries = [
        """
        SELECT c.id, c.name, m.role FROM community_member m JOIN community c ON c.id = m.community_id
        WHERE m.user_id = ?1
        """,
        """
        SELECT c.id, c.name, \(CommunityTie.Kind.banned.literal)
        FROM community_ban b JOIN community c ON c.id = b.community_id WHERE b.user_id = ?1
        """,
        """
        SELECT c.id, c.name, \(CommunityTie.Kind.requested.literal)
        FROM community_request r JOIN community c ON c.id = r.community_id WHERE r.user_id = ?1
        """,
    ]
}
