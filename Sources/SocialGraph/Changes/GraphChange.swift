/// One entry of the commit-ordered change log, the single source that drives caches and, later, streams and other
/// nodes.
package enum GraphChange: Sendable, Equatable {
    case postPublished(PostID, author: UserID)
    case postDeleted(PostID, author: UserID)
    case followed(follower: UserID, followee: UserID)
    case unfollowed(follower: UserID, followee: UserID)
    /// Many follows were written at once: everything cached of the graph is stale.
    case graphImported
    case reshared(at: FeedPosition, post: PostID)
    case unreshared(PostID, by: UserID)
    /// A collaborator has become an author.
    case collaborationAccepted(PostID, by: UserID)
    /// A collaborator is no longer an author.
    case collaborationEnded(PostID, of: UserID)
    /// An invitation was sent or withdrawn.
    case invitationChanged(PostID, of: UserID)
    /// A block or a mute.
    case blockOrMuteChanged(UserID, to: UserID)
    /// Followed topics, switches, selected algorithms, muted words.
    case preferencesChanged(UserID)
    /// Joined, left, promoted, banned.
    case membershipChanged(UserID, in: CommunityID)
    /// The author became a hub, or is pushed again.
    case hubChanged(UserID)
    /// Hidden by moderators, or shown again.
    case postModerated(PostID)
    /// Locked, opened, pins.
    case communityChanged(CommunityID)
    /// A category or tag has come into use.
    case topicCreated(TopicID)
    /// The visible profile of a user has changed; `isRenamed`: including the name, which posts show.
    case accountChanged(UserID, isRenamed: Bool)
    /// Sessions were opened or ended.
    case sessionsChanged(UserID)
    /// A like was added or removed.
    case likesChanged(PostID, by: UserID)
    case commented(CommentID, on: PostID)
    /// A comment was edited or deleted; without a post if moderators hid it before and after.
    case commentChanged(CommentID, on: PostID?)
    /// A post was shared on another platform.
    case sharedExternally(PostID, by: UserID)
    case notified(notification: Int64, to: UserID)
    /// Read, or withdrawn.
    case notificationsChanged(UserID)
    /// Made private, or public.
    case communityVisibilityChanged(CommunityID)
    /// A user was deleted: nothing of the user is shown any more.
    case accountDeleted(UserID)
    /// The content of a post has changed, not its place.
    case postEdited(PostID, author: UserID)
    /// A save was added or removed.
    case savesChanged(PostID, by: UserID)
    /// A video was watched, in part or in full.
    case watched(PostID, by: UserID)
    /// The segments or the transcript of a video.
    case segmentsChanged(PostID, author: UserID)
    case embeddingChanged(PostID, author: UserID)
    /// Silenced, suspended, reinstated, given a site role.
    case accountModerated(UserID)
    /// A comment was held, removed, taken down, or shown again; without a post if it was hidden before and is hidden
    /// now, for another reason.
    case commentModerated(CommentID, on: PostID?)
    /// Made, claimed, released, resolved.
    case reportChanged(ReportID)
    /// Rules or classifiers of a community, or (nil) of the site.
    case rulesChanged(of: CommunityID?)
    /// An account was made private, or public.
    case accountPrivacyChanged(UserID)
    /// A post that was hidden from its creation on is shown for the first time.
    case postReleased(PostID, author: UserID)
    /// A kind that a newer version writes: readers of the log must clear their caches.
    case unknown(kind: Int64, subject: Int64, object: Int64)
}
