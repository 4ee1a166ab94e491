import Database
import SocialGraph

/// The state that results from effects, applied in their order. The site's decisions bind communities. An effect of a
/// community changes nothing against them, even if an undo has changed their order.
///
/// Restrictions (held, removed, banned, locked and so on) bind while they are in force. After the site has lifted one,
/// a community may restrict again. Everything else set by the site (a name, an owner, a role, a pin) binds in both
/// directions.
struct EffectiveFacetState {
    private let facet: Facet
    private(set) var state: FacetState
    private var isBound = false
    /// Parts of a membership that the site has set: the ban, and the role.
    private var isBanBound = false
    private var boundRole: CommunityRole?

    init(_ facet: Facet, base: FacetState) {
        self.facet = facet
        state = base
    }

    /// Applies an effect. Returns false if a decision of the site prevents any change.
    @discardableResult
    mutating func apply(_ step: FacetStep, by scope: ModerationScope) -> Bool {
        switch (step, state) {
        case (.set(let next), _):
            if scope == .community, isBound { return facet.isRestriction && next.isSet }
            state = next
            if scope == .site { isBound = facet.binds(next) }
            return true
        case (.membership(let step), .membership(let membership)): return apply(step, to: membership, by: scope)
        // Unreachable by decoding: a facet's states and steps are of one kind.
        case (.membership, _): return false
        }
    }

    private mutating func apply(_ step: MembershipStep, to membership: MembershipState, by scope: ModerationScope)
        -> Bool
    {
        switch (step, scope) {
        case (.ban, .community): if boundRole?.isModerating == true { return false }
        case (.unban, .community): if isBanBound { return false }
        case (.role, .community): if boundRole != nil { return false }
        case (.ban, .site): isBanBound = true
        case (.unban, .site): isBanBound = false
        case (.role(let role, _), .site): boundRole = role
        case (.yield, .site): boundRole = nil
        case (.yield, .community), (.approve, _), (.decline, _): break
        }
        state = .membership(membership.after(step))
        return true
    }
}

extension Facet {
    /// True for a facet that is set or not set, where clearing it is the release.
    var isRestriction: Bool {
        switch self {
        case .postRemoved, .postTakenDown, .postHeld, .commentRemoved, .commentTakenDown, .commentHeld,
            .communityLocked, .communityArchived, .accountSilenced, .accountSuspended:
            true
        case .postPinned, .postFeatured, .membership, .communityPrivate, .communityName, .communityOwner,
            .accountSiteRole,
            .strike, .report, .appeal:
            false
        }
    }

    /// Returns whether this state, set by the site, binds communities.
    func binds(_ state: FacetState) -> Bool {
        if isRestriction { return state.isSet }
        if self == .strike { return false }
        // Anybody may claim a report that the site has released.
        return state != .report(.open)
    }
}
