/// A change of a user's own account; nil leaves a field unchanged.
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
    package var isPrivate: Bool?
    /// Replaces the whole map.
    package var preferences: [String: AttributeValue]?
    /// Single entries to merge into the current map; nil removes one.
    package var preferenceChanges: [String: AttributeValue?] = [:]
    /// The tags of the user's `selected` filter; of tags that differ in case only, the first is kept.
    package var algorithms: [String]?
    /// Merges followed topics, or joined communities, into the home timeline.
    package var topicsInHome: Bool?
    package var communitiesInHome: Bool?
    package var autoAcceptance: AutoAcceptance?

    package init() {}
}

/// A user's settings for the own timelines and for the products; shown to their owner only.
package struct Preferences: Sendable, Equatable {
    package let attributes: [String: AttributeValue]
    package let selectedAlgorithms: [String]
    package let topicsInHome: Bool
    package let communitiesInHome: Bool
    package let autoAcceptance: AutoAcceptance
}

/// The people whose invitations to collaborate are accepted without asking.
package enum AutoAcceptance: String, Sendable, CaseIterable {
    case nobody
    /// Invitations by authors whom the user follows.
    case following
}

extension ProfileChange.Picture {
    /// The URL of a picture that is not stored here.
    var link: String? {
        guard case .at(let url, media: nil) = self else { return nil }
        return url
    }
}
