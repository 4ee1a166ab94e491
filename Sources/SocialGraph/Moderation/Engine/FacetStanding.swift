/// The state that effects leave, applied in their order. The site's decisions bind communities: an effect of a
/// community changes nothing against them, whichever came first by an undo.
///
/// Restrictions (held, removed, banned, locked and so on) bind while they are in force; where the site has lifted one,
/// a community may restrict anew. Everything else that the site has set (a name, an owner, a role, a pin) binds both
/// ways.
struct FacetStanding {
    private let facet: Facet
    private var value: String
    private var place: Place
    private var isBound = false
    /// Parts of a membership that the site has set: whether it is banned, and its role.
    private var isBanBound = false
    private var boundRole: CommunityRole?

    init(_ facet: Facet, base: String) {
        self.facet = facet
        value = base
        place = facet == .place ? Place(text: base) : Place()
    }

    var state: String { facet == .place ? place.text : value }

    /// Returns false where the site has decided otherwise, so that the effect changes nothing.
    @discardableResult
    mutating func apply(_ state: String, by scope: ModerationScope) -> Bool {
        if facet == .place { return apply(PlaceStep(text: state), by: scope) }
        if scope == .community, isBound { return facet.isRestriction && !state.isEmpty }
        value = state
        if scope == .site { isBound = facet.binds(state) }
        return true
    }

    private mutating func apply(_ step: PlaceStep, by scope: ModerationScope) -> Bool {
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
        place = place.after(step)
        return true
    }
}

extension Facet {
    /// Set or not set; "" is the release.
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
    func binds(_ state: String) -> Bool {
        if isRestriction { return !state.isEmpty }
        if self == .strike { return false }
        // A report that the site has released is anybody's again.
        return self != .report || !state.hasPrefix(ReportStatus.open.rawValue)
    }
}
