import Database

/// The stored form of changes: a number for the kind, and up to two others. The number of a kind is never reused.
extension GraphChange {
    package enum Kind: Int64, Sendable, CaseIterable {
        case postPublished = 1
        case postDeleted = 2
        case followed = 3
        case unfollowed = 4
        case graphImported = 5
        case reshared = 6
        case unreshared = 7
        case collaborationAccepted = 8
        case collaborationEnded = 9
        case invitationChanged = 10
        case blockOrMuteChanged = 11
        case preferencesChanged = 12
        case membershipChanged = 13
        case hubChanged = 14
        case postModerated = 15
        case communityChanged = 16
        case topicCreated = 17
        case accountChanged = 18
        case sessionsChanged = 19
        case likesChanged = 20
        case commented = 21
        case commentChanged = 22
        case sharedExternally = 23
        case notified = 24
        case notificationsChanged = 25
        case communityVisibilityChanged = 26
        case accountDeleted = 27
        case postEdited = 28
        case savesChanged = 29
        case watched = 30
        case segmentsChanged = 31
        case embeddingChanged = 32
        case accountModerated = 33
        case commentModerated = 34
        case reportChanged = 35
        case rulesChanged = 36
        case accountPrivacyChanged = 37
        case postReleased = 38
    }

    /// The kind; nil: written by a newer version.
    package var kind: Kind? { Kind(rawValue: row.kind) }

    /// The row of the log. Parts that the kind does not have are 0.
    package var row: (kind: Int64, subject: Int64, object: Int64) {
        switch self {
        case .postPublished(let subject, let object): Self.row(.postPublished, subject.rawValue, object.rawValue)
        case .postDeleted(let subject, let object): Self.row(.postDeleted, subject.rawValue, object.rawValue)
        case .followed(let subject, let object): Self.row(.followed, subject.rawValue, object.rawValue)
        case .unfollowed(let subject, let object): Self.row(.unfollowed, subject.rawValue, object.rawValue)
        case .graphImported: Self.row(.graphImported)
        case .reshared(let subject, let object): Self.row(.reshared, subject.rawValue, object.rawValue)
        case .unreshared(let subject, let object): Self.row(.unreshared, subject.rawValue, object.rawValue)
        case .collaborationAccepted(let subject, let object):
            Self.row(.collaborationAccepted, subject.rawValue, object.rawValue)
        case .collaborationEnded(let subject, let object):
            Self.row(.collaborationEnded, subject.rawValue, object.rawValue)
        case .invitationChanged(let subject, let object):
            Self.row(.invitationChanged, subject.rawValue, object.rawValue)
        case .blockOrMuteChanged(let subject, let object):
            Self.row(.blockOrMuteChanged, subject.rawValue, object.rawValue)
        case .preferencesChanged(let subject): Self.row(.preferencesChanged, subject.rawValue)
        case .membershipChanged(let subject, let object):
            Self.row(.membershipChanged, subject.rawValue, object.rawValue)
        case .hubChanged(let subject): Self.row(.hubChanged, subject.rawValue)
        case .postModerated(let subject): Self.row(.postModerated, subject.rawValue)
        case .communityChanged(let subject): Self.row(.communityChanged, subject.rawValue)
        case .topicCreated(let subject): Self.row(.topicCreated, subject.rawValue)
        case .accountChanged(let subject, let object): Self.row(.accountChanged, subject.rawValue, object ? 1 : 0)
        case .sessionsChanged(let subject): Self.row(.sessionsChanged, subject.rawValue)
        case .likesChanged(let subject, let object): Self.row(.likesChanged, subject.rawValue, object.rawValue)
        case .commented(let subject, let object): Self.row(.commented, subject.rawValue, object.rawValue)
        case .commentChanged(let subject, let object):
            Self.row(.commentChanged, subject.rawValue, object?.rawValue ?? 0)
        case .sharedExternally(let subject, let object): Self.row(.sharedExternally, subject.rawValue, object.rawValue)
        case .notified(let subject, let object): Self.row(.notified, subject, object.rawValue)
        case .notificationsChanged(let subject): Self.row(.notificationsChanged, subject.rawValue)
        case .communityVisibilityChanged(let subject): Self.row(.communityVisibilityChanged, subject.rawValue)
        case .accountDeleted(let subject): Self.row(.accountDeleted, subject.rawValue)
        case .postEdited(let subject, let object): Self.row(.postEdited, subject.rawValue, object.rawValue)
        case .savesChanged(let subject, let object): Self.row(.savesChanged, subject.rawValue, object.rawValue)
        case .watched(let subject, let object): Self.row(.watched, subject.rawValue, object.rawValue)
        case .segmentsChanged(let subject, let object): Self.row(.segmentsChanged, subject.rawValue, object.rawValue)
        case .embeddingChanged(let subject, let object): Self.row(.embeddingChanged, subject.rawValue, object.rawValue)
        case .accountModerated(let subject): Self.row(.accountModerated, subject.rawValue)
        case .accountPrivacyChanged(let subject): Self.row(.accountPrivacyChanged, subject.rawValue)
        case .commentModerated(let subject, let object):
            Self.row(.commentModerated, subject.rawValue, object?.rawValue ?? 0)
        case .reportChanged(let subject): Self.row(.reportChanged, subject.rawValue)
        case .rulesChanged(let subject): Self.row(.rulesChanged, subject?.rawValue ?? 0)
        case .postReleased(let subject, let object): Self.row(.postReleased, subject.rawValue, object.rawValue)
        case .unknown(let kind, let subject, let object): (kind, subject, object)
        }
    }

    private static func row(
        _ kind: Kind, _ subject: Int64 = 0, _ object: Int64 = 0
    ) -> (kind: Int64, subject: Int64, object: Int64) {
        (kind.rawValue, subject, object)
    }

    package init(kind: Int64, subject: Int64, object: Int64) {
        func id<Entity>(_ number: Int64) -> ID<Entity> { ID(rawValue: number) }
        func optional<Entity>(_ number: Int64) -> ID<Entity>? { number == 0 ? nil : ID(rawValue: number) }
        self =
            switch Kind(rawValue: kind) {
            case .postPublished: .postPublished(id(subject), author: id(object))
            case .postDeleted: .postDeleted(id(subject), author: id(object))
            case .followed: .followed(follower: id(subject), followee: id(object))
            case .unfollowed: .unfollowed(follower: id(subject), followee: id(object))
            case .graphImported: .graphImported
            case .reshared: .reshared(at: FeedPosition(rawValue: subject), post: id(object))
            case .unreshared: .unreshared(id(subject), by: id(object))
            case .collaborationAccepted: .collaborationAccepted(id(subject), by: id(object))
            case .collaborationEnded: .collaborationEnded(id(subject), of: id(object))
            case .invitationChanged: .invitationChanged(id(subject), of: id(object))
            case .blockOrMuteChanged: .blockOrMuteChanged(id(subject), to: id(object))
            case .preferencesChanged: .preferencesChanged(id(subject))
            case .membershipChanged: .membershipChanged(id(subject), in: id(object))
            case .hubChanged: .hubChanged(id(subject))
            case .postModerated: .postModerated(id(subject))
            case .communityChanged: .communityChanged(id(subject))
            case .topicCreated: .topicCreated(id(subject))
            case .accountChanged: .accountChanged(id(subject), isRenamed: object != 0)
            case .sessionsChanged: .sessionsChanged(id(subject))
            case .likesChanged: .likesChanged(id(subject), by: id(object))
            case .commented: .commented(id(subject), on: id(object))
            case .commentChanged: .commentChanged(id(subject), on: optional(object))
            case .sharedExternally: .sharedExternally(id(subject), by: id(object))
            case .notified: .notified(notification: subject, to: id(object))
            case .notificationsChanged: .notificationsChanged(id(subject))
            case .communityVisibilityChanged: .communityVisibilityChanged(id(subject))
            case .accountDeleted: .accountDeleted(id(subject))
            case .postEdited: .postEdited(id(subject), author: id(object))
            case .savesChanged: .savesChanged(id(subject), by: id(object))
            case .watched: .watched(id(subject), by: id(object))
            case .segmentsChanged: .segmentsChanged(id(subject), author: id(object))
            case .embeddingChanged: .embeddingChanged(id(subject), author: id(object))
            case .accountModerated: .accountModerated(id(subject))
            case .commentModerated: .commentModerated(id(subject), on: optional(object))
            case .reportChanged: .reportChanged(id(subject))
            case .rulesChanged: .rulesChanged(of: optional(subject))
            case .accountPrivacyChanged: .accountPrivacyChanged(id(subject))
            case .postReleased: .postReleased(id(subject), author: id(object))
            case nil: .unknown(kind: kind, subject: subject, object: object)
            }
    }
}
