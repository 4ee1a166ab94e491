import Database
import SocialGraph

/// A user's membership state in a community, limited to the parts that moderators decide. State hidden by a ban is kept
/// under it.
package struct MembershipState: Equatable, Sendable {
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

    func after(_ step: MembershipStep) -> MembershipState {
        var membership = self
        switch step {
        case .ban: membership.isBanned = true
        case .unban: membership.isBanned = false
        case .role(let role, let promotedAt):
            membership.member?.role = role
            membership.member?.promotedAt = promotedAt
        case .yield(let promotedAt):
            membership.member?.role = .moderator
            membership.member?.promotedAt = promotedAt
        case .approve(let position, let isInHome):
            guard request != nil, member == nil else { break }
            membership.member = Member(role: .member, position: position, isInHome: isInHome, promotedAt: nil)
            membership.request = nil
        case .decline: membership.request = nil
        }
        return membership
    }

    /// The part stored in the tables. A community has one owner; a second intended owner is stored as a moderator.
    func shown(isOwner: Bool) -> MembershipState {
        if isBanned { return MembershipState(isBanned: true) }
        var membership = self
        if isOwner {
            membership.member?.role = .owner
        } else if member?.role == .owner {
            membership.member?.role = .moderator
        }
        return membership
    }

    func showing(_ isInHome: Bool) -> MembershipState {
        var membership = self
        membership.member?.isInHome = isInHome
        return membership
    }
}

/// The change that an effect makes to a membership state.
package enum MembershipStep: Equatable, Sendable {
    case ban, unban
    case role(CommunityRole, promotedAt: Int64?)
    /// The previous owner becomes an ordinary moderator after a transfer, regardless of who ordered the transfer.
    case yield(promotedAt: Int64)
    /// `isInHome` is the member's own later setting.
    case approve(position: Int64, isInHome: Bool = true)
    case decline
}
