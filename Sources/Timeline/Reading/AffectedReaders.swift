import SocialGraph

/// Readers of whom a change puts out of date what is known: whom and what they follow, what they see.
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
        case .relationChanged(let user, let other): .some([user, other])
        // Nobody follows somebody who is gone; many follows were written at once; nobody knows what has changed.
        case .accountDeleted, .accountModerated, .graphImported, .unknown: .all
        case .postPublished, .postDeleted, .reshared, .unreshared, .collaborationAccepted, .collaborationEnded,
            .invitationChanged, .hubChanged, .postModerated, .communityChanged, .topicCreated, .accountChanged,
            .sessionsChanged, .likesChanged, .commented, .commentChanged, .sharedExternally, .notified,
            .notificationsChanged, .communityVisibilityChanged, .postEdited, .savesChanged, .watched, .segmentsChanged,
            .embeddingChanged, .commentModerated, .reportChanged, .rulesChanged:
            .none
        }
    }
}
