/// Work on stored windows that a transaction has left behind, durable with it.
package struct OutboxJob: Sendable, Equatable {
    package enum Work: Sendable, Equatable {
        /// Add the post to the windows of its audience.
        case push(post: PostID, author: UserID)
        /// Take the post out of the windows of its audience.
        case unpush(post: PostID, author: UserID)
        /// Merge or unmerge, whichever the graph says when the job runs.
        case edge(follower: UserID, followee: UserID)
        /// Drop these windows: their readers' graph was written in bulk.
        case drop(viewers: [UserID])
        /// Build these windows anew, whether or not their readers have asked.
        case build(viewers: [UserID])
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
