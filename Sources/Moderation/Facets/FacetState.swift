import Database
import SocialGraph

/// State of one facet of a subject. The facet determines its case (``Facet/stateKind``).
package enum FacetState: Equatable, Sendable {
    /// The time at which it was set, in milliseconds since 1970; for a pin, its position; 1 for a flag without a time.
    /// Nil if it is not set.
    case flag(since: Int64?)
    case siteRole(SiteRole?)
    case name(String)
    case owner(UserID?)
    case membership(MembershipState)
    case report(ReportState)
    case appeal(AppealState)

    /// False only for a flag that is not set.
    var isSet: Bool { self != .flag(since: nil) }

    package enum Kind: Sendable, CaseIterable {
        case flag, siteRole, name, owner, membership, report, appeal
    }

    package var kind: Kind {
        switch self {
        case .flag: .flag
        case .siteRole: .siteRole
        case .name: .name
        case .owner: .owner
        case .membership: .membership
        case .report: .report
        case .appeal: .appeal
        }
    }
}

/// Change that an effect makes to the state of a facet.
package enum FacetStep: Equatable, Sendable {
    /// Replaces the state. For every facet except membership states.
    case set(FacetState)
    /// Changes a part of a membership state.
    case membership(MembershipStep)
}

/// State of a report: its claimant, and its resolution.
package enum ReportState: Equatable, Sendable {
    case open
    /// Claimed by a moderator, or by graphd itself (nil).
    case claimed(by: UserID?)
    /// `by` is nil for graphd itself, or for a moderator whose account is deleted. `at`: milliseconds since 1970.
    /// `claimedBy`: the previous claimant.
    case resolved(ReportResolution, by: UserID?, at: Int64, claimedBy: UserID?)

    package var status: ReportStatus {
        switch self {
        case .open: .open
        case .claimed: .claimed
        case .resolved: .resolved
        }
    }

    package var claimedBy: UserID? {
        switch self {
        case .open: nil
        case .claimed(let user), .resolved(_, by: _, at: _, claimedBy: let user): user
        }
    }

    /// Resolution and its time in milliseconds since 1970; nil: not resolved.
    package var outcome: (resolution: ReportResolution, at: Int64)? {
        guard case .resolved(let resolution, by: _, at: let time, claimedBy: _) = self else { return nil }
        return (resolution, time)
    }
}

/// State of an appeal.
package enum AppealState: Equatable, Sendable {
    case open
    /// `by` is nil for graphd itself, or for a moderator whose account is deleted. `at`: milliseconds since 1970.
    case decided(AppealDecision, by: UserID?, at: Int64)

    package var status: AppealStatus {
        switch self {
        case .open: .open
        case .decided(.granted, by: _, at: _): .granted
        case .decided(.denied, by: _, at: _): .denied
        }
    }

    /// Decider and time in milliseconds since 1970; nil: not decided.
    package var decision: (by: UserID?, at: Int64)? {
        guard case .decided(_, let user, let time) = self else { return nil }
        return (user, time)
    }
}

extension Facet {
    /// Case of the states of this facet.
    package var stateKind: FacetState.Kind {
        switch self {
        case .postRemoved, .postTakenDown, .postHeld, .postPinned, .postFeatured, .commentRemoved, .commentTakenDown,
            .commentHeld, .communityLocked, .communityArchived, .communityPrivate, .accountSilenced, .accountSuspended,
            .strike:
            .flag
        case .accountSiteRole: .siteRole
        case .communityName: .name
        case .communityOwner: .owner
        case .membership: .membership
        case .report: .report
        case .appeal: .appeal
        }
    }
}

extension FacetKey {
    /// The error for a state that belongs to another facet.
    func unfit(_ state: FacetState) -> DatabaseError {
        .storageCorrupt(detail: "The facet \(facet.rawValue) of \(subject) cannot be \(state).")
    }

    func membership(in state: FacetState) throws -> MembershipState {
        guard case .membership(let membership) = state else { throw unfit(state) }
        return membership
    }
}
