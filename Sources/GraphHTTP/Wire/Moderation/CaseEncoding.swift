import Database
import GraphAPI
import GraphServices
import Moderation
import SocialGraph

extension JSONWriter {
    /// `{reportId, status}`
    mutating func filedReport(_ report: FiledReport) {
        beginObject()
        key("reportId")
        id(report.id.rawValue)
        key("status")
        string(report.status.rawValue)
        endObject()
    }

    /// A report as moderators see it; `reporter` null: graphd itself.
    package mutating func report(_ report: Report) {
        beginObject()
        key("reportId")
        id(report.id.rawValue)
        key("reporter")
        optionalUser(report.reporter, report.reporterName)
        key("subject")
        subject(report.subject)
        key("excerpt")
        string(report.excerpt)
        key("community")
        optionalCommunity(report.community, report.communityName)
        key("user")
        optionalUser(report.user, report.username)
        key("reason")
        string(report.reason)
        key("note")
        string(report.note)
        key("createdAt")
        timestamp(milliseconds: report.createdAt)
        key("status")
        string(report.state.status.rawValue)
        key("claimedBy")
        optionalUser(report.state.claimedBy, report.claimedByName)
        key("resolution")
        string(report.state.outcome?.resolution.rawValue)
        key("resolvedAt")
        optionalTimestamp(report.state.outcome?.at)
        key("openReports")
        integer(report.openReports)
        endObject()
    }

    /// A report as its reporter sees it: without who works on it.
    mutating func ownReport(_ report: Report) {
        beginObject()
        key("reportId")
        id(report.id.rawValue)
        key("subject")
        subject(report.subject)
        key("reason")
        string(report.reason)
        key("note")
        string(report.note)
        key("createdAt")
        timestamp(milliseconds: report.createdAt)
        key("status")
        string(report.state.status.rawValue)
        key("resolution")
        string(report.state.outcome?.resolution.rawValue)
        key("resolvedAt")
        optionalTimestamp(report.state.outcome?.at)
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

    /// An appeal as its user sees it: without who decides.
    mutating func ownAppeal(_ appeal: Appeal) {
        beginObject()
        appealMembers(appeal)
        key("entryId")
        id(appeal.entry.id.rawValue)
        endObject()
    }

    private mutating func appealMembers(_ appeal: Appeal) {
        key("appealId")
        id(appeal.id.rawValue)
        key("text")
        string(appeal.text)
        key("createdAt")
        timestamp(milliseconds: appeal.createdAt)
        key("status")
        string(appeal.state.status.rawValue)
        key("decidedAt")
        optionalTimestamp(appeal.state.decision?.at)
    }

    /// An entry as whom it concerns sees it.
    mutating func ownEntry(_ own: OwnModlogEntry) {
        beginObject()
        openEntryMembers(own.entry)
        key("appeal")
        string(own.appeal?.rawValue)
        endObject()
    }

    mutating func strike(_ strike: Strike) {
        beginObject()
        key("entryId")
        id(strike.entry.rawValue)
        key("communityId")
        optionalID(strike.community?.rawValue)
        key("reason")
        string(strike.reason)
        key("createdAt")
        timestamp(milliseconds: strike.createdAt)
        key("expiresAt")
        optionalTimestamp(strike.endsAt)
        endObject()
    }
}
