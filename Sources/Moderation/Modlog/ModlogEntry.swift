import SocialGraph

/// One entry of the modlog.
package struct ModlogEntry: Sendable, Equatable {
    package let id: ModlogEntryID
    package let batch: BatchID
    /// Milliseconds since 1970.
    package let createdAt: Int64
    /// Nil: graphd itself.
    package let actor: UserID?
    package let actorName: String?
    package let action: ModerationAction
    /// Of an undo or an expiry, the action of the entry that it ended; else ``action``.
    package let orderedAction: ModerationAction
    package let subject: ModerationSubject
    package let community: CommunityID?
    package let communityName: String?
    /// Whom it concerns: the author of the post or comment, the member, the user.
    package let user: UserID?
    package let username: String?
    package let reason: String
    /// For moderators only; nil: none, or erased.
    package internal(set) var note: String?
    /// A JSON object with sorted keys: what the order was given besides, such as `role`, `name`, `rule`.
    package let detail: String
    package let endsAt: Int64?
    /// Of an undo or an expiry: the entry that it ended.
    package let endedEntry: ModlogEntryID?
    /// The undo or expiry that ended this one.
    package let endedBy: ModlogEntryID?
    package let scope: ModerationScope
    /// 32 bytes: SHA-256 over the digest before and this entry.
    package let digest: [UInt8]
}

/// What entries of the modlog are asked for: all conditions hold.
package struct ModlogFilter: Sendable, Equatable {
    package var community: CommunityID?
    package var actor: UserID?
    package var user: UserID?
    package var subject: ModerationSubject?
    package var batch: BatchID?
    package var action: ModerationAction?

    package init() {}
}

/// What a look at the whole modlog has come to.
package struct ModlogVerification: Sendable, Equatable {
    package let entries: Int64
    /// Of the last entry, or 32 zeros.
    package let head: [UInt8]
    /// The first entry whose digest, place or note is not what it must be; nil: all hold.
    package let brokenAt: ModlogEntryID?
}
