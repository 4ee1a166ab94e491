import Database
import GraphAPI
import GraphServices
import Moderation
import SocialGraph

/// Acts of moderation as the user sees them whom they concern.
extension JSONWriter {
    /// A report as its reporter sees it: without the moderator who handles it.
    package mutating func ownReport(_ report: Report) {
        beginObject()
        member("reportId", id: report.id.rawValue)
        key("subject")
        subject(report.subject)
        member("reason", report.reason)
        member("note", report.note)
        member("createdAt", time: report.createdAt)
        member("status", report.state.status.rawValue)
        member("resolution", report.state.outcome?.resolution.rawValue)
        member("resolvedAt", time: report.state.outcome?.at)
        endObject()
    }

    /// An appeal as its user sees it: without the moderator who decides it.
    package mutating func ownAppeal(_ appeal: Appeal) {
        beginObject()
        appealMembers(appeal)
        member("entryId", id: appeal.entry.id.rawValue)
        endObject()
    }

    package mutating func appealMembers(_ appeal: Appeal) {
        member("appealId", id: appeal.id.rawValue)
        member("text", appeal.text)
        member("createdAt", time: appeal.createdAt)
        member("status", appeal.state.status.rawValue)
        member("decidedAt", time: appeal.state.decision?.at)
    }

    /// An entry as the user whom it concerns sees it.
    package mutating func ownEntry(_ own: OwnModlogEntry) {
        beginObject()
        openEntryMembers(own.entry)
        member("appeal", own.appeal?.rawValue)
        endObject()
    }

    /// The members for the public and the user concerned: neither the actor nor a note.
    package mutating func openEntryMembers(_ entry: ModlogEntry) {
        member("entryId", id: entry.id.rawValue)
        member("createdAt", time: entry.createdAt)
        member("action", entry.action.rawValue)
        key("subject")
        subject(entry.subject)
        key("community")
        optionalCommunity(entry.community, entry.communityName)
        member("reason", entry.reason)
        member("expiresAt", time: entry.endsAt)
        member("endedBy", id: entry.endedBy?.rawValue)
    }

    package mutating func optionalCommunity(_ community: CommunityID?, _ name: String?) {
        guard let community, let name else { return null() }
        beginObject()
        member("communityId", id: community.rawValue)
        member("name", name)
        endObject()
    }
}
