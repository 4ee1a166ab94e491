import SocialGraph

/// What posts must be like to be listed: every condition that is set must hold. Who may see them is not its matter.
package struct PostFilter: Sendable, Hashable {
    /// Letter case ignored.
    package var category: String?
    /// Tags of which a post must have one, letter case ignored. Empty: no post matches.
    package var algorithms: [String]?
    /// All must hold.
    package var attributes: [AttributeCondition]
    /// Names of attributes of which a post must carry one, whatever its value.
    package var carriesAnyOf: [String]?
    package var duration: DurationClass?
    /// The author, or an accepted collaborator.
    package var author: UserID?
    package var community: CommunityID?
    /// When the post was created, in milliseconds since 1970: from the first, up to before the second.
    package var since: Int64?
    package var until: Int64?

    package init(
        category: String? = nil, algorithms: [String]? = nil, attributes: [AttributeCondition] = [],
        carriesAnyOf: [String]? = nil, duration: DurationClass? = nil, author: UserID? = nil,
        community: CommunityID? = nil, since: Int64? = nil, until: Int64? = nil
    ) {
        self.category = category
        self.algorithms = algorithms
        self.attributes = attributes
        self.carriesAnyOf = carriesAnyOf
        self.duration = duration
        self.author = author
        self.community = community
        self.since = since
        self.until = until
    }
}

/// How long a video is, by its attribute `duration`.
package enum DurationClass: String, Sendable, CaseIterable {
    /// Under 10 minutes.
    case short
    /// From 10 to under 30 minutes.
    case medium
    /// From 30 minutes.
    case long

    /// In seconds.
    var range: ClosedRange<Double> {
        switch self {
        case .short: -.infinity...(600 as Double).nextDown
        case .medium: 600...(1_800 as Double).nextDown
        case .long: 1_800...(.infinity)
        }
    }

    var condition: AttributeCondition { AttributeCondition(name: "duration", range: range) }
}
