import Database
import GraphAPI
import GraphServices
import Moderation
import SocialGraph

extension JSONWriter {
    /// `{reportId, status}`
    mutating func filedReport(_ report: FiledReport) {
        beginObject()
        member("reportId", id: report.id.rawValue)
        member("status", report.status.rawValue)
        endObject()
    }

    /// A report as moderators see it; a null `reporter` means graphd itself.
    package mutating func report(_ report: Report) {
        beginObject()
        member("reportId", id: report.id.rawValue)
        key("reporter")
        optionalUser(report.reporter, report.reporterName)
        key("subject")
        subject(report.subject)
        member("excerpt", report.excerpt)
        key("community")
        optionalCommunity(report.community, report.communityName)
        key("user")
        optionalUser(report.user, report.username)
        member("reason", report.reason)
        member("note", report.note)
        member("createdAt", time: report.createdAt)
        member("status", report.state.status.rawValue)
        key("claimedBy")
        optionalUser(report.state.claimedBy, report.claimedByName)
        member("resolution", report.state.outcome?.resolution.rawValue)
        member("resolvedAt", time: report.state.outcome?.at)
        member("openReports", report.openReports)
        endObject()
    }

    /// A report as its reporter sees it: without the moderator who handles it.
    mutating func ownReport(_ report: Report) {
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

    /// An appeal as moderators see it.
    mutating func appeal(_ appeal: Appeal) {
        beginObject()
        appealMembers(appeal)
        key("user")
        userReference(appeal.user, appeal.username)
        key("entry")
        modlogEntry(appeal.entry)
        key("decidedBy")
        optionalUser(appeal.state.decision?.by, appeal.decidedByName)
        endObject()
    }

    /// An appeal as its user sees it: without the moderator who decides it.
    mutating func ownAppeal(_ appeal: Appeal) {
        beginObject()
        appealMembers(appeal)
        member("entryId", id: appeal.entry.id.rawValue)
        endObject()
    }

    private mutating func appealMembers(_ appeal: Appeal) {
        member("appealId", id: appeal.id.rawValue)
        member("text", appeal.text)
        member("createdAt", time: appeal.createdAt)
        member("status", appeal.state.status.rawValue)
        member("decidedAt", time: appeal.state.decision?.at)
    }

    /// An entry as the user whom it concerns sees it.
    mutating func ownEntry(_ own: OwnModlogEntry) {
        beginObject()
        openEntryMembers(own.entry)
        member("appeal", own.appeal?.rawValue)
        endObject()
    }

    mutating func strike(_ strike: Strike) {
        beginObject()
        member("entryId", id: strike.entry.rawValue)
        member("communityId", id: strike.community?.rawValue)
        member("reason", strike.reason)
        member("createdAt", time: strike.createdAt)
        member("expiresAt", time: strike.endsAt)
        endObject()
    }
}
