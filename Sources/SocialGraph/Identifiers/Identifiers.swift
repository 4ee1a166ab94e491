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

/// A named collection of saved posts.
package typealias CollectionID = ID<PostCollection>

/// A session of a user: what one log-in began.
package typealias SessionID = ID<Session>

/// A category or a tag.
package typealias TopicID = ID<TopicKind>

/// A labelled segment of a video.
package typealias SegmentID = ID<VideoSegment>

/// What a user has reported.
package typealias ReportID = ID<Report>

/// A user's appeal against what moderators did.
package typealias AppealID = ID<Appeal>

/// What one order did: what an undo takes back.
package typealias BatchID = ID<ModerationOrder>

/// The number of an entry of the modlog: 1, 2, 3 and so on, without gaps.
package typealias ModlogEntryID = ID<ModlogEntry>

/// A rule that judges posts and comments as they are written.
package typealias RuleID = ID<ModerationRule>

/// A program outside that judges posts.
package typealias ClassifierID = ID<Classifier>
