import Database
import SocialGraph

/// The state that effects leave, applied in their order. The site's decisions bind communities: an effect of a
/// community changes nothing against them, whichever came first by an undo.
///
/// Restrictions (held, removed, banned, locked and so on) bind while they are in force; where the site has lifted one,
/// a community may restrict anew. Everything else that the site has set (a name, an owner, a role, a pin) binds both
/// ways.
struct FacetStanding {
    private let facet: Facet
    private(set) var state: FacetState
    private var isBound = false
    /// Parts of a membership that the site has set: whether it is banned, and its role.
    private var isBanBound = false
    private var boundRole: CommunityRole?

    init(_ facet: Facet, base: FacetState) {
        self.facet = facet
        state = base
    }

    /// Returns false where the site has decided otherwise, so that the effect changes nothing.
    @discardableResult
    mutating func apply(_ step: FacetStep, by scope: ModerationScope) -> Bool {
        switch (step, state) {
        case (.set(let next), _):
            if scope == .community, isBound { return facet.isRestriction && next.isSet }
            state = next
            if scope == .site { isBound = facet.binds(next) }
            return true
        case (.place(let step), .place(let place)): return apply(step, to: place, by: scope)
        // Not decoded from any text: a facet's states and steps are of one kind.
        case (.place, _): return false
        }
    }

    private mutating func apply(_ step: PlaceStep, to place: Place, by scope: ModerationScope) -> Bool {
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
        state = .place(place.after(step))
        return true
    }
}

extension Facet {
    /// Set or not set; not set is the release.
    var isRestriction: Bool {
        switch self {
        case .postRemoved, .postTakenDown, .postHeld, .commentRemoved, .commentTakenDown, .commentHeld,
            .communityLocked, .communityArchived, .accountSilenced, .accountSuspended:
            true
        case .postPinned, .postFeatured, .place, .communityPrivate, .communityName, .communityOwner, .accountSiteRole,
            .strike, .report, .appeal:
            false
        }
    }

    /// Whether this state, set by the site, binds communities.
    func binds(_ state: FacetState) -> Bool {
        if isRestriction { return state.isSet }
        if self == .strike { return false }
        // A report that the site has released is anybody's again.
        return state != .report(.open)
    }
}
