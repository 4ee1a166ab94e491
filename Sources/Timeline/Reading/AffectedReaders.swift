import SocialGraph

/// Readers whose cached data a change invalidates: their follows and what they may see.
enum AffectedReaders: Equatable, Sendable {
    case none
    case some([UserID])
    case all
}

extension GraphChange {
    var affectedReaders: AffectedReaders {
        switch self {
        case .followed(let user, _), .unfollowed(let user, _), .preferencesChanged(let user),
            .membershipChanged(let user, _):
            .some([user])
        case .blockOrMuteChanged(let user, let other): .some([user, other])
        // A deleted account loses all followers; an import writes many follows at once; an unknown change may concern
        // anybody.
        case .accountDeleted, .accountModerated, .graphImported, .unknown: .all
        case .postPublished, .postDeleted, .reshared, .unreshared, .collaborationAccepted, .collaborationEnded,
            .invitationChanged, .hubChanged, .postModerated, .communityChanged, .topicCreated, .accountChanged,
            .sessionsChanged, .likesChanged, .commented, .commentChanged, .sharedExternally, .notified,
            .notificationsChanged, .communityVisibilityChanged, .postEdited, .savesChanged, .watched, .segmentsChanged,
            .embeddingChanged, .commentModerated, .reportChanged, .rulesChanged, .accountPrivacyChanged, .postReleased:
            .none
        }
    }
}
