/// What a user changes of the own account; nil leaves a thing as it is.
package struct ProfileChange: Sendable {
    /// A profile picture.
    package enum Picture: Sendable, Equatable {
        case none
        /// `media`: the stored file behind `url`, if it is one of ours.
        case at(url: String, media: MediaID? = nil)
    }

    package var username: String?
    package var displayName: String?
    package var bio: String?
    package var picture: Picture?
    package var email: String?
    /// Origin of a change of address, for the user's log of log-ins.
    package var origin: LoginOrigin?
    package var isBusiness: Bool?
    /// The whole map.
    package var preferences: [String: AttributeValue]?
    /// Single entries, put into the map as it then is; nil takes one away.
    package var preferenceChanges: [String: AttributeValue?] = [:]
    /// The tags that the user's `selected` filter means; of tags that differ in case only, the first is kept.
    package var algorithms: [String]?
    /// Whether followed topics, and joined communities, are merged into the home timeline.
    package var topicsInHome: Bool?
    package var communitiesInHome: Bool?
    package var autoAcceptance: AutoAcceptance?

    package init() {}
}

/// What a user has set for the own timelines and for the products: shown to its owner only.
package struct Preferences: Sendable, Equatable {
    package let attributes: [String: AttributeValue]
    package let selectedAlgorithms: [String]
    package let topicsInHome: Bool
    package let communitiesInHome: Bool
    package let autoAcceptance: AutoAcceptance
}

/// The people whose invitations to collaborate a user accepts without being asked.
package enum AutoAcceptance: String, Sendable, CaseIterable {
    case nobody
    /// Those of authors whom the user follows.
    case following
}

extension ProfileChange.Picture {
    /// The URL of a picture that is not stored here.
    var link: String? {
        guard case .at(let url, media: nil) = self else { return nil }
        return url
    }
}
