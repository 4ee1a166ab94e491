import Database
import SocialGraph

/// One thing about a subject that moderators set. The raw value is stored.
package enum Facet: String, Sendable, CaseIterable {
    case postRemoved, postTakenDown, postHeld, postPinned, postFeatured
    case commentRemoved, commentTakenDown, commentHeld
    /// A user's place in a community: banned, waiting to be let in, a member, in which role.
    case place
    case communityLocked, communityArchived, communityPrivate, communityName
    /// Whom a community belongs to, since it was first transferred.
    case communityOwner
    case accountSilenced, accountSuspended, accountSiteRole
    /// A warning, which is its effect: nothing else changes with it.
    case strike
    case report, appeal

    /// Where it stands, if it is a column of its subject's row.
    var column: (table: String, name: String)? {
        switch self {
        case .postRemoved: ("post", "removed_at")
        case .postTakenDown: ("post", "taken_down_at")
        case .postHeld: ("post", "held_at")
        case .postFeatured: ("post", "featured_at")
        case .commentRemoved: ("comment", "removed_at")
        case .commentTakenDown: ("comment", "taken_down_at")
        case .commentHeld: ("comment", "held_at")
        case .communityLocked: ("community", "locked_at")
        case .communityArchived: ("community", "archived_at")
        case .accountSilenced: ("account", "silenced_at")
        case .accountSuspended: ("account", "suspended_at")
        case .accountSiteRole: ("account", "site_role")
        case .postPinned, .place, .communityPrivate, .communityName, .communityOwner, .strike, .report, .appeal: nil
        }
    }
}

/// A facet of one subject. `community`: of a place, and of a strike (0: the site); else 0.
struct FacetKey: Hashable {
    let facet: Facet
    let subject: Int64
    let community: Int64

    init(_ facet: Facet, _ subject: Int64, in community: CommunityID? = nil) {
        self.facet = facet
        self.subject = subject
        self.community = community?.rawValue ?? 0
    }

    var arguments: [SQLValue] { [.integer(subject), .text(facet.rawValue), .integer(community)] }
}
