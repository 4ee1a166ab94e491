import Database

/// Work on stored windows that a transaction leaves; durable with the transaction.
package struct OutboxJob: Sendable, Equatable {
    package enum Work: Sendable, Equatable {
        /// Add the post to the windows of its audience.
        case push(post: PostID, author: UserID)
        /// Remove the post from the windows of its audience and of users whom reshares brought it to.
        case remove(post: PostID, author: UserID)
        /// Add a reason to the windows of one actor's followers: a reshare at its id, or the post of a new collaborator
        /// at its own.
        case addReason(entry: FeedEntry, actor: UserID)
        /// Remove the reason that an `addReason` or a push by that actor has added; a post with a later reason moves to
        /// that place.
        case removeReason(entry: FeedEntry, actor: UserID)
        /// Rebuild the window if there is one: its reader's change affects all of it.
        case rebuild(viewer: UserID)
        /// Evict these windows: their readers' graph was written in bulk.
        case evict(viewers: [UserID])
        /// Evict all windows: more posts were written in bulk than are worth a push each.
        case evictAll
        /// Rebuild these windows, even if their readers have not asked.
        case build(viewers: [UserID])
        /// Backfill a former hub's posts into its followers' windows, then stop pulling them. `since` names the switch.
        case backfill(author: UserID, since: FeedPosition)
        /// Rebuild the existing windows of this user and of the user's followers: a suspension of the user begins or
        /// ends, which changes the reasons that count.
        case rebuildFollowers(of: UserID)
    }

    package let id: JobID
    package let work: Work
    /// The place where an interrupted fan-out to all groups of windows resumes.
    package let progress: AudienceCursor
    /// The groups of windows in which it is done.
    package let doneGroups: GroupSet
    /// Milliseconds since 1970.
    package let createdAt: Int64

    package init(id: JobID, work: Work, progress: AudienceCursor = .start, doneGroups: GroupSet = [], createdAt: Int64)
    {
        self.id = id
        self.work = work
        self.progress = progress
        self.doneGroups = doneGroups
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

/// The part of a job that is done.
package typealias JobProgress = (cursor: AudienceCursor, doneGroups: GroupSet)
