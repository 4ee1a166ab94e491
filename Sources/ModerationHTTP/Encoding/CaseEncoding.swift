import Database
import GraphAPI
import GraphHTTP
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

    /// The reports about one subject as moderators see them.
    mutating func reportCase(_ reported: ReportCase, _ publicURL: (String) -> String) {
        let latest = reported.latest
        beginObject()
        key("subject")
        subject(latest.subject)
        member("excerpt", latest.excerpt)
        key("media")
        if let media = reported.media {
            beginObject()
            member("url", publicURL(media.url))
            member("thumbnailUrl", media.thumbnailURL.map(publicURL))
            endObject()
        } else {
            null()
        }
        key("community")
        optionalCommunity(latest.community, latest.communityName)
        key("user")
        optionalUser(latest.user, latest.username)
        member("status", latest.state.status.rawValue)
        key("claimedBy")
        optionalUser(latest.state.claimedBy, latest.claimedByName)
        member("resolution", latest.state.outcome?.resolution.rawValue)
        member("resolvedAt", time: latest.state.outcome?.at)
        member("reportsCount", reported.reportsCount)
        member("firstReportedAt", time: reported.firstReportedAt)
        member("lastReportedAt", time: latest.createdAt)
        member("latestReportId", id: latest.id.rawValue)
        member("reasons", listing: reported.reasons) { json, reason in
            json.beginObject()
            json.member("reason", reason.text)
            json.member("count", reason.count)
            json.endObject()
        }
        member("reports", listing: reported.reports) { json, report in
            json.beginObject()
            json.member("reportId", id: report.id.rawValue)
            json.key("reporter")
            json.optionalUser(report.reporter, report.reporterName)
            json.member("reason", report.reason)
            json.member("note", report.note)
            json.member("createdAt", time: report.createdAt)
            json.endObject()
        }
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
