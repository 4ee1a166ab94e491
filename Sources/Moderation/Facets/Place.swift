import Database
import SocialGraph

/// A user's place in a community, as far as moderators decide on it. What a ban hides stays under it.
package struct Place: Equatable, Sendable {
    struct Member: Equatable, Sendable {
        var role: CommunityRole
        let position: Int64
        var isInHome: Bool
        /// Of moderators and owners.
        var promotedAt: Int64?
    }

    var isBanned = false
    /// The place of a request to be let in.
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

    /// What the tables hold of it. A community has one owner: another who is to be one waits as a moderator.
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

/// What an effect does to a place.
package enum PlaceStep: Equatable, Sendable {
    case ban, unban
    case role(CommunityRole, promotedAt: Int64?)
    /// The owner before a transfer becomes a moderator like any other, whoever ordered the transfer.
    case yield(promotedAt: Int64)
    /// `isInHome`: as the member has set it since.
    case approve(position: Int64, isInHome: Bool = true)
    case decline
}
