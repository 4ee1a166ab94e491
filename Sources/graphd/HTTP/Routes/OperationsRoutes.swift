import CoreMetrics
import GraphAPI
import HTTPTypes
import Hummingbird
import NIOCore
import SocialGraph
import Timeline

/// What an operator and a load balancer ask.
struct OperationsRoutes: Sendable {
    let timelines: TimelineService
    let metrics: PrometheusRegistry
    let graph: GraphStore
    private let pendingJobs = Meter(label: MetricNames.outboxPending)
    private let oldestJob = Meter(label: MetricNames.outboxOldestSeconds)
    private let redisUp = Meter(label: MetricNames.redisUp)
    private let waitingEvents = Meter(label: MetricNames.pushesWaiting, dimensions: [("stage", "event")])
    private let waitingDeliveries = Meter(label: MetricNames.pushesWaiting, dimensions: [("stage", "delivery")])

    init(timelines: TimelineService, metrics: PrometheusRegistry, graph: GraphStore) {
        self.timelines = timelines
        self.metrics = metrics
        self.graph = graph
    }

    /// `GET /healthz`: the process is alive.
    @Sendable func alive(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        return .json { json in
            json.beginObject()
            json.key("status")
            json.string("alive")
            json.endObject()
        }
    }

    /// `GET /readyz`: 200 as long as requests are served, which they are while Redis is down; 503 without the database.
    @Sendable func ready(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let outbox = try? await outbox()
        let redisAnswers = await timelines.redisAnswers()
        return .json(outbox == nil ? .serviceUnavailable : .ok) { json in
            json.beginObject()
            json.key("status")
            json.string(outbox == nil ? "unavailable" : "ready")
            json.key("database")
            json.string(outbox == nil ? "down" : "up")
            json.key("redis")
            json.string(redisAnswers ? "up" : "down")
            json.key("outbox")
            json.beginObject()
            json.key("pending")
            json.integer(outbox?.pending ?? 0)
            json.key("oldestSeconds")
            json.integer(outbox?.oldestSeconds ?? 0)
            json.endObject()
            json.endObject()
        }
    }

    /// `GET /metrics`, Prometheus text format 0.0.4.
    @Sendable func metrics(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let outbox = try await outbox()
        pendingJobs.set(outbox.pending)
        oldestJob.set(outbox.oldestSeconds)
        redisUp.set(await timelines.redisAnswers() ? 1 : 0)
        let pushes = try await graph.pushBacklog()
        waitingEvents.set(pushes.events)
        waitingDeliveries.set(pushes.deliveries)
        return Response(
            status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
            body: .init(byteBuffer: ByteBuffer(string: metrics.render())))
    }

    private func outbox() async throws -> (pending: Int, oldestSeconds: Int64) {
        let pending = try await timelines.pending()
        let age = pending.oldest.map { max(SystemClock.milliseconds() - $0, 0) / 1000 }
        return (pending.count, age ?? 0)
    }
}
