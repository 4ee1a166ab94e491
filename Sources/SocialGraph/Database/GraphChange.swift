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
}
