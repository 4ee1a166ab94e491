/// One entry of the commit-ordered change log, the single source that drives caches and, later, streams and other
/// nodes.
package enum GraphChange: Sendable, Equatable {
    case postPublished(PostID, author: UserID)
    case postDeleted(PostID, author: UserID)
    case followed(follower: UserID, followee: UserID)
    case unfollowed(follower: UserID, followee: UserID)
    /// Many follows were written at once: what is cached of the graph is out of date.
    case graphImported
    case reshared(at: FeedPosition, post: PostID)
    case unreshared(PostID, by: UserID)
    /// A collaborator has become an author.
    case collaborationAccepted(PostID, by: UserID)
    /// A collaborator is no author any more.
    case collaborationEnded(PostID, of: UserID)
    /// An invitation was sent or withdrawn.
    case invitationChanged(PostID, of: UserID)
    /// A block or a mute.
    case relationChanged(UserID, to: UserID)
    /// Followed topics, switches, selected algorithms.
    case preferencesChanged(UserID)
    /// Joined, left, promoted, banned.
    case membershipChanged(UserID, in: CommunityID)
    /// Pulled from now on, or pushed again.
    case hubChanged(UserID)
    /// Hidden by moderators, or shown again.
    case postModerated(PostID)
    /// Locked, opened, pins.
    case communityChanged(CommunityID)
    /// A category or tag has come into use.
    case topicCreated(TopicID)
    /// What others see of a user has changed; `isRenamed`: the name has, too, which stands in posts.
    case accountChanged(UserID, isRenamed: Bool)
    /// Sessions were opened or ended.
    case sessionsChanged(UserID)
    /// A like, or its being taken back.
    case likesChanged(PostID, by: UserID)
    case commented(CommentID, on: PostID)
    /// Edited or deleted; without a post where moderators hid it before and after.
    case commentChanged(CommentID, on: PostID?)
    /// Shared elsewhere.
    case sharedExternally(PostID, by: UserID)
    case notified(notification: Int64, to: UserID)
    /// Read, or withdrawn.
    case notificationsChanged(UserID)
    /// Made private, or public.
    case communityVisibilityChanged(CommunityID)
    /// Nothing of the user is shown any more.
    case accountDeleted(UserID)
    /// What it says has changed, not where it stands.
    case postEdited(PostID, author: UserID)
    /// A save, or its being taken back.
    case savesChanged(PostID, by: UserID)
    /// Seen, in part or whole.
    case watched(PostID, by: UserID)
    /// The segments or the transcript of a video.
    case segmentsChanged(PostID, author: UserID)
    case embeddingChanged(PostID, author: UserID)
    /// Silenced, suspended, reinstated, given a site role.
    case accountModerated(UserID)
    /// Held, removed, taken down, or shown again; without a post where it was hidden before and is hidden now, for
    /// another reason.
    case commentModerated(CommentID, on: PostID?)
    /// Made, claimed, released, resolved.
    case reportChanged(ReportID)
    /// Rules or classifiers of a community, or (nil) of the site.
    case rulesChanged(of: CommunityID?)
    /// Of a kind that a newer version writes: whatever follows the log knows no more what it holds.
    case unknown(kind: Int64, subject: Int64, object: Int64)
}
