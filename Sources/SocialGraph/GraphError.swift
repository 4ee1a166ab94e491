/// What the graph refuses. `code` is stable; `message` is safe to show to a client and says what would be right.
package enum GraphError: Error, Equatable {
    case usernameTaken(String)
    case reservedUsername(String)
    case emailTaken
    case accountNotFound
    case postNotFound
    case selfFollow
    case selfBlock
    case selfMute
    /// A block stands between the two, in either direction; which one is not told.
    case notAllowed
    case notAuthor
    case notCollaborator
    case notInvited
    case communityNotFound
    case communityNameTaken(String)
    case notMember
    case bannedFromCommunity
    case communityLocked
    case communityArchived
    case ownerCannotLeave
    /// Only moderators of the community may.
    case notModerator
    case joinRequestNotFound
    case mediaNotFound
    case commentNotFound
    case notCommentAuthor
    /// A reply would be nested deeper than is possible.
    case threadTooDeep
    case notificationNotFound
    case collectionNotFound
    case collectionNameTaken(String)
    /// A post is named that the collection does not hold.
    case notInCollection(String)
    /// For business accounts only.
    case notBusiness
    /// A refresh token is unknown, spent, revoked or past its time.
    case refreshTokenInvalid
    /// The stored ranking that a cursor names is not kept any more.
    case rankingExpired
    /// The post has no embedding.
    case embeddingNotFound
    /// An embedding has another dimension than those of this data directory.
    case dimensionMismatch(expected: Int, given: Int)
    /// No operator has set the dimension of embeddings.
    case embeddingDimensionUnset
    /// A bounded list is full. The limit is named.
    case limitReached(String)
    case unknownCollaborator(String)
    case selfCollaboration
    case idempotencyKeyReused
    /// A rule of this name does not allow a text that cannot be held.
    case refusedByRule(String)
    /// The user's files come to more than they may.
    case uploadQuotaExceeded(MediaQuota)

    package var code: String {
        switch self {
        case .usernameTaken: "username_taken"
        case .reservedUsername: "reserved_username"
        case .emailTaken: "email_taken"
        case .accountNotFound: "user_not_found"
        case .postNotFound: "post_not_found"
        case .selfFollow: "self_follow"
        case .selfBlock: "self_block"
        case .selfMute: "self_mute"
        case .notAllowed: "not_allowed"
        case .notCollaborator: "not_collaborator"
        case .notInvited: "not_invited"
        case .communityNotFound: "community_not_found"
        case .communityNameTaken: "community_name_taken"
        case .notMember: "not_member"
        case .bannedFromCommunity: "banned"
        case .communityLocked: "community_locked"
        case .communityArchived: "community_archived"
        case .ownerCannotLeave: "owner_cannot_leave"
        case .notModerator: "not_moderator"
        case .joinRequestNotFound: "join_request_not_found"
        case .mediaNotFound: "media_not_found"
        case .commentNotFound: "comment_not_found"
        case .notCommentAuthor: "not_author"
        case .threadTooDeep: "thread_too_deep"
        case .notificationNotFound: "notification_not_found"
        case .collectionNotFound: "collection_not_found"
        case .collectionNameTaken: "collection_name_taken"
        case .notInCollection: "not_in_collection"
        case .notBusiness: "not_business"
        case .refreshTokenInvalid: "refresh_token_invalid"
        case .rankingExpired: "cursor_expired"
        case .embeddingNotFound: "embedding_not_found"
        case .dimensionMismatch: "dimension_mismatch"
        case .embeddingDimensionUnset: "embedding_dimension_unset"
        case .limitReached: "limit_reached"
        case .notAuthor: "not_author"
        case .unknownCollaborator: "unknown_collaborator"
        case .selfCollaboration: "self_collaboration"
        case .idempotencyKeyReused: "idempotency_key_reused"
        case .refusedByRule: "refused_by_rule"
        case .uploadQuotaExceeded: "upload_quota_exceeded"
        }
    }

    package var message: String {
        switch self {
        case .usernameTaken(let name): "The username \"\(name)\" is taken. Choose another."
        case .reservedUsername(let name): "The username \"\(name)\" is reserved. Choose another."
        case .emailTaken: "An account with this email address exists. Log in instead."
        case .accountNotFound: "There is no such user."
        case .postNotFound: "There is no such post."
        case .selfFollow: "Users cannot follow themselves. Name another user."
        case .selfBlock: "Users cannot block themselves. Name another user."
        case .selfMute: "Users cannot mute themselves. Name another user."
        case .notAllowed: "This is not possible between you and that user."
        case .notAuthor: "Only the author of a post may do this."
        case .notCollaborator: "You are no collaborator of this post."
        case .notInvited: "There is no open invitation to this post for you."
        case .communityNotFound: "There is no such community."
        case .communityNameTaken(let name): "A community named \"\(name)\" exists. Choose another name."
        case .notMember: "Posting into a community is for its members. Join it first."
        case .bannedFromCommunity: "You are banned from this community."
        case .communityLocked: "This community is locked: only its moderators may post."
        case .communityArchived: "This community is archived: it can be read, and nothing can be added."
        case .ownerCannotLeave: "The owner of a community cannot leave it. Transfer it first."
        case .notModerator: "Only the community's moderators may do this."
        case .joinRequestNotFound: "This user has not asked to join the community."
        case .mediaNotFound: "There is no such file."
        case .commentNotFound: "There is no such comment."
        case .notCommentAuthor: "Only the author of a comment may do this."
        case .threadTooDeep:
            "Replies can be nested \(SocialGraphLimits.commentDepth) deep. Reply to a comment further up."
        case .notificationNotFound: "There is no such notification."
        case .collectionNotFound: "There is no such collection."
        case .collectionNameTaken(let name): "You have a collection named \"\(name)\". Choose another name."
        case .notInCollection(let id): "The post \"\(id)\" is not in this collection. Add it first."
        case .notBusiness: "This is for business accounts. Set isBusiness on your profile first."
        case .refreshTokenInvalid: "The refresh token is not valid any more; log in again."
        case .rankingExpired: "This ranking is not kept any more. Start again without a cursor."
        case .embeddingNotFound: "This post has no embedding."
        case .dimensionMismatch(let expected, let given):
            "Expected \(expected) \(expected == 1 ? "dimension" : "dimensions"), got \(given)."
        case .embeddingDimensionUnset:
            "This server stores no embeddings until its operator sets their dimension with --embedding-dimension."
        case .limitReached(let limit): "At most \(limit) are possible. Remove one first."
        case .unknownCollaborator(let id): "The collaborator \"\(id)\" is not a user. Name users by their ids."
        case .selfCollaboration: "The author is an author already. Leave your own id out of collaborators."
        case .refusedByRule(let rule): "A rule of this site does not allow this text: \(rule)."
        case .idempotencyKeyReused: "This Idempotency-Key was used with another request. Choose a new key."
        case .uploadQuotaExceeded(let quota):
            "Your files may come to \(quota.bytes) bytes and \(quota.files) files. Delete posts whose files you can "
                + "spare; their room is free within a day and an hour."
        }
    }
}
