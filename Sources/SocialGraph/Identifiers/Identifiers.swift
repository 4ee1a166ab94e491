import Database

/// An account. 53 bits, see ``IDSequence``.
package typealias UserID = ID<Account>

/// A post. Larger ids are newer posts.
package typealias PostID = ID<Post>

/// A row of the outbox. Commit order is id order.
package typealias JobID = ID<OutboxJob>

/// A community.
package typealias CommunityID = ID<Community>

/// A stored file.
package typealias MediaID = ID<Media>

/// A comment. Larger ids are newer comments.
package typealias CommentID = ID<PostComment>

/// A category or a tag.
package typealias TopicID = ID<TopicKind>

/// Tag types for the ids of moderation's cases, which the change log names.
package enum ModerationCases {
    package enum Report {}
    package enum Appeal {}
}

/// A user's report.
package typealias ReportID = ID<ModerationCases.Report>

/// A user's appeal against a moderation action.
package typealias AppealID = ID<ModerationCases.Appeal>
