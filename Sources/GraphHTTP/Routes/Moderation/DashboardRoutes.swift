import Database
import GraphAPI
import Hummingbird
import Moderation
import SocialGraph
import Timeline

/// How the server is doing, for moderators of the site.
struct DashboardRoutes: Sendable {
    let graph: GraphStore
    let timelines: TimelineService
    let dashboard: Dashboard

    /// `GET /v1/moderation/dashboard`: of the last minute, or since the call before
    @Sendable func figures(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        try await graph.moderation.authority(of: context.requireCaller()).requireSiteRole(for: .warnUser)
        let pending = try await timelines.pending()
        let age = pending.oldest.map { max(SystemClock.milliseconds() - $0, 0) } ?? 0
        let cases = try await graph.moderationViews.openCases()
        let figures = dashboard.figures()
        return .json(reservingCapacity: 4_096) { json in
            json.beginObject()
            json.figures(figures)
            json.key("outbox")
            json.beginObject()
            json.key("pending")
            json.integer(pending.count)
            json.key("oldestMs")
            json.integer(age)
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
        key("deliveriesPerSecond")
        number(figures.deliveriesPerSecond)
        key("windows")
        beginObject()
        key("hits")
        integer(figures.hits)
        key("misses")
        integer(figures.misses)
        key("hitRate")
        let reads = figures.hits + figures.misses
        if reads > 0 { number(Double(figures.hits) / Double(reads)) } else { null() }
        endObject()
        key("drift")
        beginObject()
        key("checked")
        integer(figures.checked)
        key("found")
        integer(figures.drifted)
        key("lastAt")
        optionalTimestamp(figures.checkedAt)
        endObject()
        key("latency")
        beginArray()
        for latency in figures.latencies {
            beginObject()
            key("route")
            string(latency.route)
            key("p50")
            number(latency.p50)
            key("p90")
            number(latency.p90)
            key("p99")
            number(latency.p99)
            key("count")
            integer(latency.count)
            endObject()
        }
        endArray()
    }
}
