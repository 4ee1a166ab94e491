import Database
import SocialGraph

/// A user's membership state in a community, limited to the parts that moderators decide. State hidden by a ban is kept
/// under it.
package struct Place: Equatable, Sendable {
    struct Member: Equatable, Sendable {
        var role: CommunityRole
        let position: Int64
        var isInHome: Bool
        /// The time of promotion, for moderators and owners.
        var promotedAt: Int64?
    }

    var isBanned = false
    /// The position of a join request.
    var request: Int64?
    var member: Member?

    func after(_ step: PlaceStep) -> Place {
        var place = self
        switch step {
        case .ban: place.isBanned = true
        case .unban: place.isBanned = false
        case .role(let role, let promotedAt):
            place.member?.role = role
            place.member?.promotedAt = promotedAt
        case .yield(let promotedAt):
            place.member?.role = .moderator
            place.member?.promotedAt = promotedAt
        case .approve(let position, let isInHome):
            guard request != nil, member == nil else { break }
            place.member = Member(role: .member, position: position, isInHome: isInHome, promotedAt: nil)
            place.request = nil
        case .decline: place.request = nil
        }
        return place
    }

    /// The part stored in the tables. A community has one owner; a second intended owner is stored as a moderator.
    func shown(isOwner: Bool) -> Place {
        if isBanned { return Place(isBanned: true) }
        var place = self
        if isOwner {
            place.member?.role = .owner
        } else if member?.role == .owner {
            place.member?.role = .moderator
        }
        return place
    }

    func showing(_ isInHome: Bool) -> Place {
        var place = self
        place.member?.isInHome = isInHome
        return place
    }
}

/// The change that an effect makes to a membership state.
package enum PlaceStep: Equatable, Sendable {
    case ban, unban
    case role(CommunityRole, promotedAt: Int64?)
    /// The previous owner becomes an ordinary moderator after a transfer, regardless of who ordered the transfer.
    case yield(promotedAt: Int64)
    /// `isInHome` is the member's own later setting.
    case approve(position: Int64, isInHome: Bool = true)
    case decline
}
