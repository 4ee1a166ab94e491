/// One entry of the commit-ordered change log, the single source that drives caches and, later, streams and other
/// nodes.
package struct GraphChange: Sendable, Equatable {
    package enum Kind: Int64, Sendable {
        /// subject: post, object: author
        case postPublished = 1
        /// subject: post, object: author
        case postDeleted = 2
        /// subject: follower, object: followee
        case followed = 3
        /// subject: follower, object: followee
        case unfollowed = 4
        /// Many follows were written at once: what is cached of the graph is out of date.
        case graphImported = 5
        /// subject: reshare, object: post
        case reshared = 6
        /// subject: post, object: who had reshared it
        case unreshared = 7
        /// A collaborator has become an author. subject: post, object: collaborator
        case collaborationAccepted = 8
        /// A collaborator is no author any more. subject: post, object: collaborator
        case collaborationEnded = 9
        /// An invitation was sent or withdrawn. subject: post, object: collaborator
        case invitationChanged = 10
        /// A block or a mute. subject: who blocks or mutes, object: whom
        case relationChanged = 11
        /// Followed topics, switches, selected algorithms. subject: user
        case preferencesChanged = 12
        /// Joined, left, promoted, banned. subject: user, object: community
        case membershipChanged = 13
        /// Pulled from now on, or pushed again. subject: user
        case hubChanged = 14
        /// Hidden by moderators, or shown again. subject: post
        case postModerated = 15
        /// Locked, opened, pins. subject: community
        case communityChanged = 16
        /// A category or tag has come into use. subject: topic
        case topicCreated = 17
        /// What others see of a user has changed. subject: user, object: 1 where the name has, which stands in posts
        case accountChanged = 18
        /// Sessions were opened or ended. subject: user
        case sessionsChanged = 19
        /// subject: post, object: who likes it, or has taken that back
        case likesChanged = 20
        /// subject: comment, object: post
        case commented = 21
        /// Edited or deleted. subject: comment, object: post, or 0 where moderators hid it before and after
        case commentChanged = 22
        /// Shared elsewhere. subject: post, object: user
        case sharedExternally = 23
        /// subject: notification, object: whom it is for
        case notified = 24
        /// Read, or withdrawn. subject: user
        case notificationsChanged = 25
        /// Made private, or public. subject: community
        case communityVisibilityChanged = 26
        /// Nothing of the user is shown any more. subject: user
        case accountDeleted = 27
        /// What it says has changed, not where it stands. subject: post, object: author
        case postEdited = 28
        /// subject: post, object: who has saved it, or has taken that back
        case savesChanged = 29
        /// Seen, in part or whole. subject: post, object: who has watched it
        case watched = 30
        /// The segments or the transcript of a video. subject: post, object: author
        case segmentsChanged = 31
        /// subject: post, object: author
        case embeddingChanged = 32
        /// Silenced, suspended, reinstated, given a site role. subject: user
        case accountModerated = 33
        /// Held, removed, taken down, or shown again. subject: comment, object: post, or 0 where it was hidden before
        /// and is hidden now, for another reason
        case commentModerated = 34
        /// Made, claimed, released, resolved. subject: report
        case reportChanged = 35
        /// Rules or classifiers of a community, or (0) of the site. subject: community
        case rulesChanged = 36
    }

    package let kind: Kind
    package let subject: Int64
    package let object: Int64

    package init(_ kind: Kind, subject: Int64, object: Int64) {
        self.kind = kind
        self.subject = subject
        self.object = object
    }
}

/// What one commit group did, in commit order.
package struct CommitRecord: Sendable {
    package let changes: [GraphChange]
    /// The places of `changes` in the log; nil where there are none. Within a group they are contiguous: a gap to the
    /// group before was written by another process.
    package let sequence: ClosedRange<Int64>?
    package let jobs: [OutboxJob]
    /// Feeds that have gained or lost an entry.
    package let touched: [FeedSource]

    package init(
        changes: [GraphChange], sequence: ClosedRange<Int64>?, jobs: [OutboxJob], touched: [FeedSource] = []
    ) {
        self.changes = changes
        self.sequence = sequence
        self.jobs = jobs
        self.touched = touched
    }
}
