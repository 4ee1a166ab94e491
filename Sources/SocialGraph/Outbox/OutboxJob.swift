/// Work on stored windows that a transaction has left behind, durable with it.
package struct OutboxJob: Sendable, Equatable {
    package enum Work: Sendable, Equatable {
        /// Add the post to the windows of its audience.
        case push(post: PostID, author: UserID)
        /// Take the post out of the windows of its audience and of those whom reshares brought it to.
        case unpush(post: PostID, author: UserID)
        /// Add a post to the windows of one actor's followers: a reshare at its id, or the post of a new collaborator
        /// at its own.
        case share(entry: FeedEntry, actor: UserID)
        /// Take back what a `share` or a push by that actor has brought; where there is a later reason, the post goes
        /// to that place.
        case unshare(entry: FeedEntry, actor: UserID)
        /// Build the window anew if there is one: what its reader has changed concerns all of it.
        case refresh(viewer: UserID)
        /// Drop these windows: their readers' graph was written in bulk.
        case drop(viewers: [UserID])
        /// Drop all windows: more posts were written in bulk than are worth a push each.
        case dropAll
        /// Build these windows anew, whether or not their readers have asked.
        case build(viewers: [UserID])
        /// Bring a former hub's posts into its followers' windows, then stop pulling them. `since` names the switch.
        case land(author: UserID, since: FeedPosition)
        /// Build anew, of this user's followers and of the user, the windows that there are: a suspension of the user
        /// begins or ends, so that other reasons count.
        case refreshFollowers(of: UserID)
    }

    package let id: JobID
    package let work: Work
    /// Where a resumed fan-out goes on.
    package let progress: AudienceCursor
    /// Milliseconds since 1970.
    package let createdAt: Int64

    package init(id: JobID, work: Work, progress: AudienceCursor = .start, createdAt: Int64) {
        self.id = id
        self.work = work
        self.progress = progress
        self.createdAt = createdAt
    }
}

/// A place in an audience: authors in id order, and within an author the followers in the order in which they came.
package struct AudienceCursor: Sendable, Equatable {
    package let author: Int64
    package let position: Int64
    package static let start = AudienceCursor(author: 0, position: 0)

    package init(author: Int64, position: Int64) {
        self.author = author
        self.position = position
    }
}
