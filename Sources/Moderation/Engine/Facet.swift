import Database
import SocialGraph

/// A property of a subject that moderators set. The raw value is stored.
package enum Facet: String, Sendable, CaseIterable {
    case postRemoved, postTakenDown, postHeld, postPinned, postFeatured
    case commentRemoved, commentTakenDown, commentHeld
    /// A user's membership state in a community: banned, requesting to join, or a member with a role.
    case membership = "place"
    case communityLocked, communityArchived, communityPrivate, communityName
    /// The owner of a community, since its first transfer.
    case communityOwner
    case accountSilenced, accountSuspended, accountSiteRole
    /// A warning. It is its own effect and changes nothing else.
    case strike
    case report, appeal

    /// The facet's column in its subject's row, if it has one.
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
        case .postPinned, .membership, .communityPrivate, .communityName, .communityOwner, .strike, .report, .appeal:
            nil
        }
    }
}

/// A facet of one subject. `community` is set for a membership state and for a strike (0 for the site), otherwise 0.
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
