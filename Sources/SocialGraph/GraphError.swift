import Database

/// Refusals by the graph.
package enum GraphError: ClientError, Equatable {
    case usernameTaken(String)
    case reservedUsername(String)
    case emailTaken
    case accountNotFound
    case postNotFound
    case selfFollow
    case selfBlock
    case selfMute
    /// A block stands between the two users. The error does not say in which direction.
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
    /// Only moderators of the community may do this.
    case notModerator
    case joinRequestNotFound
    case followRequestNotFound
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
    /// A refresh token is unknown, used, revoked or expired.
    case refreshTokenInvalid
    /// The stored ranking that a cursor names has expired.
    case rankingExpired
    /// The post has no embedding.
    case embeddingNotFound
    /// An embedding has another dimension than the embeddings of this data directory.
    case dimensionMismatch(expected: Int, given: Int)
    /// No operator has set the dimension of embeddings.
    case embeddingDimensionUnset
    /// A bounded list is full; the value names the limit.
    case limitReached(String)
    case unknownCollaborator(String)
    case selfCollaboration
    /// The rule of this name refuses a text that cannot be held for review.
    case refusedByRule(String)
    /// The user's files exceed the quota.
    case uploadQuotaExceeded(MediaQuota)

    package var answer: ErrorAnswer {
        switch self {
        case .usernameTaken(let name): .init("username_taken", "The username \"\(name)\" is taken. Choose another.")
        case .reservedUsername(let name):
            .init("reserved_username", "The username \"\(name)\" is reserved. Choose another.", field: "username")
        case .emailTaken: .init("email_taken", "An account with this email address already exists. Log in instead.")
        case .accountNotFound: .init("user_not_found", "There is no such user.")
        case .postNotFound: .init("post_not_found", "There is no such post.")
        case .selfFollow: .init("self_follow", "Users cannot follow themselves. Name another user.")
        case .selfBlock: .init("self_block", "Users cannot block themselves. Name another user.")
        case .selfMute: .init("self_mute", "Users cannot mute themselves. Name another user.")
        case .notAllowed: .init("not_allowed", "This is not possible between you and that user.")
        case .notAuthor: .init("not_author", "Only the author of a post may do this.")
        case .notCollaborator: .init("not_collaborator", "You are not a collaborator on this post.")
        case .notInvited: .init("not_invited", "You have no open invitation to this post.")
        case .communityNotFound: .init("community_not_found", "There is no such community.")
        case .communityNameTaken(let name):
            .init("community_name_taken", "A community named \"\(name)\" already exists. Choose another name.")
        case .notMember: .init("not_member", "Only members can post in a community. Join it first.")
        case .bannedFromCommunity: .init("banned", "You are banned from this community.")
        case .communityLocked: .init("community_locked", "This community is locked: only its moderators may post.")
        case .communityArchived:
            .init("community_archived", "This community is archived and read-only.")
        case .ownerCannotLeave:
            .init("owner_cannot_leave", "The owner of a community cannot leave it. Transfer it first.")
        case .notModerator: .init("not_moderator", "Only the community's moderators may do this.")
        case .joinRequestNotFound: .init("join_request_not_found", "This user has not asked to join the community.")
        case .followRequestNotFound: .init("follow_request_not_found", "This user has not asked to follow you.")
        case .mediaNotFound: .init("media_not_found", "There is no such file.")
        case .commentNotFound: .init("comment_not_found", "There is no such comment.")
        case .notCommentAuthor: .init("not_author", "Only the author of a comment may do this.")
        case .threadTooDeep:
            .init(
                "thread_too_deep",
                "Replies can be nested at most \(SocialGraphLimits.commentDepth) levels deep. "
                    + "Reply to a comment higher up.")
        case .notificationNotFound: .init("notification_not_found", "There is no such notification.")
        case .collectionNotFound: .init("collection_not_found", "There is no such collection.")
        case .collectionNameTaken(let name):
            .init("collection_name_taken", "You already have a collection named \"\(name)\". Choose another name.")
        case .notInCollection(let id):
            .init("not_in_collection", "The post \"\(id)\" is not in this collection. Add it first.")
        case .notBusiness:
            .init("not_business", "Only business accounts can do this. Set isBusiness on your profile first.")
        case .refreshTokenInvalid:
            .init("refresh_token_invalid", "The refresh token is no longer valid; log in again.")
        case .rankingExpired:
            .init("cursor_expired", "This ranking has expired. Start again without a cursor.")
        case .embeddingNotFound: .init("embedding_not_found", "This post has no embedding.")
        case .dimensionMismatch(let expected, let given):
            .init(
                "dimension_mismatch",
                "Expected \(expected) \(expected == 1 ? "dimension" : "dimensions"), got \(given).", field: "vector")
        case .embeddingDimensionUnset:
            .init(
                "embedding_dimension_unset",
                "This server stores no embeddings; its operator can set their dimension with --embedding-dimension.")
        case .limitReached(let limit): .init("limit_reached", "At most \(limit) are allowed. Remove one first.")
        case .unknownCollaborator(let id):
            .init(
                "unknown_collaborator", "The collaborator \"\(id)\" is not a user. Give the ids of users.",
                field: "collaborators")
        case .selfCollaboration:
            .init(
                "self_collaboration", "The author cannot be a collaborator. Leave your own id out of collaborators.",
                field: "collaborators")
        case .refusedByRule(let rule):
            .init("refused_by_rule", "A rule of this site refuses this text: \(rule).")
        case .uploadQuotaExceeded(let quota):
            .init(
                "upload_quota_exceeded",
                "You may store at most \(quota.bytes) bytes and \(quota.files) files. Delete posts whose files you "
                    + "no longer need; their space is freed within 25 hours.")
        }
    }
}
