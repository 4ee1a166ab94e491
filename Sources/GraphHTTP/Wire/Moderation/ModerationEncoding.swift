import Database
import GraphAPI
import GraphServices
import Moderation
import SocialGraph

extension JSONWriter {
    /// `{postId}`, `{userId}` and so on.
    package mutating func subject(_ subject: ModerationSubject) {
        beginObject()
        switch subject.kind {
        case .post: key("postId")
        case .comment: key("commentId")
        case .user: key("userId")
        case .community: key("communityId")
        case .report: key("reportId")
        case .appeal: key("appealId")
        }
        id(subject.rawValue)
        endObject()
    }

    /// `{batch, action, dryRun, changed, results: [{subject, changed, entryId}]}`
    mutating func outcome(_ outcome: ModerationOutcome, of action: ModerationAction) {
        beginObject()
        key("batch")
        optionalID(outcome.batch?.rawValue)
        key("action")
        string(action.rawValue)
        key("dryRun")
        bool(outcome.isDryRun)
        key("changed")
        integer(outcome.results.count(where: \.isChanged))
        key("results")
        beginArray()
        for result in outcome.results {
            beginObject()
            key("subject")
            subject(result.subject)
            key("changed")
            bool(result.isChanged)
            key("entryId")
            optionalID(result.entry?.rawValue)
            endObject()
        }
        endArray()
        endObject()
    }

    /// An entry as moderators see it.
    mutating func modlogEntry(_ entry: ModlogEntry) {
        beginObject()
        key("entryId")
        id(entry.id.rawValue)
        key("batch")
        id(entry.batch.rawValue)
        key("createdAt")
        timestamp(milliseconds: entry.createdAt)
        key("actor")
        optionalUser(entry.actor, entry.actorName)
        key("action")
        string(entry.action.rawValue)
        key("subject")
        subject(entry.subject)
        key("community")
        optionalCommunity(entry.community, entry.communityName)
        key("user")
        optionalUser(entry.user, entry.username)
        key("reason")
        string(entry.reason)
        key("note")
        string(entry.note)
        key("detail")
        raw(Array(entry.detail.utf8))
        key("expiresAt")
        optionalTimestamp(entry.endsAt)
        key("endsEntry")
        optionalID(entry.endedEntry?.rawValue)
        key("endedBy")
        optionalID(entry.endedBy?.rawValue)
        key("scope")
        string(entry.scope.rawValue)
        key("digest")
        hex(entry.digest)
        endObject()
    }

    /// What everybody, and whom it concerns, may know: neither who did it nor a note.
    mutating func openEntryMembers(_ entry: ModlogEntry) {
        key("entryId")
        id(entry.id.rawValue)
        key("createdAt")
        timestamp(milliseconds: entry.createdAt)
        key("action")
        string(entry.action.rawValue)
        key("subject")
        subject(entry.subject)
        key("community")
        optionalCommunity(entry.community, entry.communityName)
        key("reason")
        string(entry.reason)
        key("expiresAt")
        optionalTimestamp(entry.endsAt)
        key("endedBy")
        optionalID(entry.endedBy?.rawValue)
    }

    /// `{entries, head, valid, brokenAt}`
    mutating func verification(_ verification: ModlogVerification) {
        beginObject()
        key("entries")
        integer(verification.entries)
        key("head")
        hex(verification.head)
        key("valid")
        bool(verification.brokenAt == nil)
        key("brokenAt")
        optionalID(verification.brokenAt?.rawValue)
        endObject()
    }

    package mutating func optionalID(_ value: Int64?) {
        if let value { id(value) } else { null() }
    }

    mutating func optionalTimestamp(_ milliseconds: Int64?) {
        if let milliseconds { timestamp(milliseconds: milliseconds) } else { null() }
    }

    /// `{userId, username}`; null: nobody, or somebody who is gone.
    mutating func optionalUser(_ user: UserID?, _ username: String?) {
        if let user, let username { userReference(user, username) } else { null() }
    }

    mutating func optionalCommunity(_ community: CommunityID?, _ name: String?) {
        guard let community, let name else { return null() }
        beginObject()
        key("communityId")
        id(community.rawValue)
        key("name")
        string(name)
        endObject()
    }

    mutating func hex(_ bytes: [UInt8]) {
        let digits = Array("0123456789abcdef".utf8)
        let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] }
        string(String(decoding: text, as: UTF8.self))
    }
}
