import Database
import GraphAPI
import GraphHTTP
import Hummingbird
import Moderation
import SocialGraph
import Timeline

/// The state of the server, for moderators of the site.
struct DashboardRoutes: Sendable {
    let graph: GraphStore
    let timelines: TimelineService
    let dashboard: Dashboard

    /// `GET /v1/moderation/dashboard`: figures of the last minute, or since the previous call
    @Sendable func figures(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        try await graph.moderation.authority(of: context.requireCaller()).requireSiteRole(for: .warnUser)
        let pending = try await timelines.pending()
        let age = pending.oldest.map { max(SystemClock.milliseconds() - $0, 0) } ?? 0
        let cases = try await graph.moderationQueries.openCases()
        let figures = dashboard.figures()
        return .json(reservingCapacity: 4_096) { json in
            json.beginObject()
            json.figures(figures)
            json.key("outbox")
            json.beginObject()
            json.member("pending", pending.count)
            json.member("oldestMs", age)
            json.endObject()
            json.key("reports")
            json.count("open", cases.reports)
            json.key("queue")
            json.count("held", cases.held)
            json.key("appeals")
            json.count("open", cases.appeals)
            json.endObject()
        }
    }
}

extension JSONWriter {
    fileprivate mutating func count(_ name: StaticString, _ count: Int64) {
        beginObject()
        key(name)
        integer(count)
        endObject()
    }

    fileprivate mutating func figures(_ figures: DashboardFigures) {
        member("deliveriesPerSecond", figures.deliveriesPerSecond)
        key("windows")
        beginObject()
        member("hits", figures.hits)
        member("misses", figures.misses)
        key("hitRate")
        let reads = figures.hits + figures.misses
        if reads > 0 { number(Double(figures.hits) / Double(reads)) } else { null() }
        endObject()
        key("drift")
        beginObject()
        member("checked", figures.checked)
        member("found", figures.drifted)
        member("lastAt", time: figures.checkedAt)
        endObject()
        key("latency")
        beginArray()
        for latency in figures.latencies {
            beginObject()
            member("route", latency.route)
            member("p50", latency.p50)
            member("p90", latency.p90)
            member("p99", latency.p99)
            member("count", latency.count)
            endObject()
        }
        endArray()
    }
}
