import SocialGraph

package enum AppealStatus: String, Sendable, CaseIterable {
    case open, granted, denied
}

/// A user's appeal against an entry of the modlog that concerns the user.
package struct Appeal: Sendable, Equatable {
    package let id: AppealID
    package let user: UserID
    package let username: String
    package let entry: ModlogEntry
    package let text: String
    package let createdAt: Int64
    package let state: AppealState
    package let decidedByName: String?
}

/// A warning in force.
package struct Strike: Sendable, Equatable {
    package let entry: ModlogEntryID
    package let community: CommunityID?
    package let reason: String
    package let createdAt: Int64
    package let endsAt: Int64?
}

extension ModerationAction {
    /// True if the affected user may appeal against the entry.
    package var isAppealable: Bool {
        switch self {
        case .warnUser, .removePost, .takedownPost, .holdPost, .removeComment, .takedownComment, .holdComment,
            .banMember, .silenceUser, .suspendUser:
            true
        default: false
        }
    }
}
