import Database
import GraphAPI
import GraphHTTP
import GraphServices
import Moderation
import SocialGraph

extension JSONWriter {
    /// `{batch, action, dryRun, changed, results: [{subject, changed, entryId}]}`
    mutating func outcome(_ outcome: ModerationOutcome, of action: ModerationAction) {
        beginObject()
        member("batch", id: outcome.batch?.rawValue)
        member("action", action.rawValue)
        member("dryRun", outcome.isDryRun)
        member("changed", outcome.results.count(where: \.isChanged))
        key("results")
        beginArray()
        for result in outcome.results {
            beginObject()
            key("subject")
            subject(result.subject)
            member("changed", result.isChanged)
            member("entryId", id: result.entry?.rawValue)
            endObject()
        }
        endArray()
        endObject()
    }

    /// An entry as moderators see it.
    mutating func modlogEntry(_ entry: ModlogEntry) {
        beginObject()
        member("entryId", id: entry.id.rawValue)
        member("batch", id: entry.batch.rawValue)
        member("createdAt", time: entry.createdAt)
        key("actor")
        optionalUser(entry.actor, entry.actorName)
        member("action", entry.action.rawValue)
        key("subject")
        subject(entry.subject)
        key("community")
        optionalCommunity(entry.community, entry.communityName)
        key("user")
        optionalUser(entry.user, entry.username)
        member("reason", entry.reason)
        member("note", entry.note)
        member("detail", raw: Array(entry.detail.utf8))
        member("expiresAt", time: entry.endsAt)
        member("endsEntry", id: entry.endedEntry?.rawValue)
        member("endedBy", id: entry.endedBy?.rawValue)
        member("scope", entry.scope.rawValue)
        key("digest")
        hex(entry.digest)
        endObject()
    }

    /// `{entries, head, valid, brokenAt}`
    mutating func verification(_ verification: ModlogVerification) {
        beginObject()
        member("entries", verification.entries)
        key("head")
        hex(verification.head)
        member("valid", verification.brokenAt == nil)
        member("brokenAt", id: verification.brokenAt?.rawValue)
        endObject()
    }

    /// `{userId, username}`; null for nobody, or for a deleted user.
    mutating func optionalUser(_ user: UserID?, _ username: String?) {
        if let user, let username { userReference(user, username) } else { null() }
    }

    mutating func hex(_ bytes: [UInt8]) {
        let digits = Array("0123456789abcdef".utf8)
        let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] }
        string(String(decoding: text, as: UTF8.self))
    }
}
