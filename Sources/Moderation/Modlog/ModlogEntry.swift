import SocialGraph

/// One entry of the modlog.
package struct ModlogEntry: Sendable, Equatable {
    package let id: ModlogEntryID
    package let batch: BatchID
    /// The time of creation in milliseconds since 1970.
    package let createdAt: Int64
    /// The acting moderator; nil for graphd itself.
    package let actor: UserID?
    package let actorName: String?
    package let action: ModerationAction
    /// For an undo or an expiry, the action of the entry that it ended; otherwise ``action``.
    package let orderedAction: ModerationAction
    package let subject: ModerationSubject
    package let community: CommunityID?
    package let communityName: String?
    /// The affected user: the author of the post or comment, the member, the user.
    package let user: UserID?
    package let username: String?
    package let reason: String
    /// For moderators only. Nil if there is none or it was erased.
    package internal(set) var note: String?
    /// A JSON object with sorted keys: the additional arguments of the order, such as `role`, `name`, `rule`.
    package let detail: String
    package let endsAt: Int64?
    /// For an undo or an expiry, the entry that it ended.
    package let endedEntry: ModlogEntryID?
    /// The undo or expiry that ended this one.
    package let endedBy: ModlogEntryID?
    package let scope: ModerationScope
    /// The SHA-256 digest (32 bytes) over the digest before and this entry.
    package let digest: [UInt8]
}

/// A filter for entries of the modlog. All conditions must hold.
package struct ModlogFilter: Sendable, Equatable {
    package var community: CommunityID?
    package var actor: UserID?
    package var user: UserID?
    package var subject: ModerationSubject?
    package var batch: BatchID?
    package var action: ModerationAction?

    package init() {}
}

/// The result of verifying the whole modlog.
package struct ModlogVerification: Sendable, Equatable {
    package let entries: Int64
    /// The digest of the last entry, or 32 zeros.
    package let head: [UInt8]
    /// The first entry with a wrong digest, position or note; nil if all are correct.
    package let brokenAt: ModlogEntryID?
}
