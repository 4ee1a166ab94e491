import SocialGraph

/// Conditions for listed posts; all that are set must hold. Visibility is checked elsewhere.
package struct PostFilter: Sendable, Hashable {
    /// Category; letter case is ignored.
    package var category: String?
    /// Tags, at least one of which a post must have; letter case is ignored. With an empty array no post matches.
    package var algorithms: [String]?
    /// Conditions on attributes; all must hold.
    package var attributes: [AttributeCondition]
    /// Names of attributes, at least one of which a post must carry, with any value.
    package var carriesAnyOf: [String]?
    package var duration: DurationClass?
    /// The author or an accepted collaborator.
    package var author: UserID?
    package var community: CommunityID?
    /// Start and end of the time of creation, in milliseconds since 1970: `since` is included, `until` is not.
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

/// A class of video length, by the attribute `duration`.
package enum DurationClass: String, Sendable, CaseIterable {
    /// Under 10 minutes.
    case short
    /// From 10 to under 30 minutes.
    case medium
    /// 30 minutes or more.
    case long

    /// Range of `duration`, in seconds.
    var range: ClosedRange<Double> {
        switch self {
        case .short: -.infinity...(600 as Double).nextDown
        case .medium: 600...(1_800 as Double).nextDown
        case .long: 1_800...(.infinity)
        }
    }

    var condition: AttributeCondition { AttributeCondition(name: "duration", range: range) }
}
