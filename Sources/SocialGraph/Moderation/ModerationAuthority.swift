/// The roles of a user that decide what the user may moderate.
package struct ModerationAuthority: Sendable, Equatable {
    package let user: UserID
    package let siteRole: SiteRole?
    /// Communities that the user owns or moderates.
    package let communities: [CommunityID: CommunityRole]
}
