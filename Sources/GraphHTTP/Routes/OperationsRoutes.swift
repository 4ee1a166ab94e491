import CoreMetrics
import Database
import GraphAPI
import GraphServices
import HTTPTypes
import Hummingbird
import MediaJobs
import NIOCore
import Push
import Sessions
import SocialGraph
import Timeline

/// Routes for operators and load balancers.
package struct OperationsRoutes: Sendable {
    let timelines: TimelineService
    let metrics: PrometheusRegistry
    let graph: GraphStore
    /// The callers who see more than whether requests are served.
    let audience: Audience
    /// The faults of disk, database and clock.
    let problems: @Sendable () -> [ReadinessProblem]
    /// True if ffmpeg is installed.
    let examinesVideos: Bool
    private let outbox: SharedLook<OutboxDepth>
    private let pendingJobs = Meter(label: MetricNames.outboxPending)
    private let oldestJob = Meter(label: MetricNames.outboxOldestSeconds)
    private let waitingFolds = Meter(label: MetricNames.windowFoldsWaiting)
    /// One for each shard.
    private let redisUp: [Meter]
    /// Nil unless a cluster has the windows.
    private let coldBuckets: BucketMetrics?
    private let faults = ReadinessProblem.Code.allCases.map {
        (code: $0, meter: Meter(label: MetricNames.problem, dimensions: [("code", $0.rawValue)]))
    }
    private let waitingEvents = Meter(label: MetricNames.pushesWaiting, dimensions: [("stage", "event")])
    private let waitingDeliveries = Meter(label: MetricNames.pushesWaiting, dimensions: [("stage", "delivery")])
    private let deployment = DeploymentMetrics()
    private let waitingVideos = Meter(label: MetricNames.mediaJobsWaiting)
    private let waitingMails = Meter(label: MetricNames.mailsWaiting)

    /// Jobs that may still change a window, and the age of the oldest one.
    private struct OutboxDepth: Sendable {
        var pending = 0
        var oldestSeconds: Int64 = 0
    }

    /// The time after which a server that is silent counts as down. A file in the process is waited for: it is busy.
    private static let patience = Duration.seconds(1)

    package enum Audience: Sendable {
        /// Callers on this machine. Requests forwarded by a proxy are excluded.
        case loopback
        /// Everybody who reaches the listener.
        case everybody
        /// Nobody, because there is another listener for it.
        case nobody
    }

    package init(
        timelines: TimelineService, metrics: PrometheusRegistry, graph: GraphStore, audience: Audience,
        examinesVideos: Bool, problems: @escaping @Sendable () -> [ReadinessProblem]
    ) {
        self.timelines = timelines
        self.metrics = metrics
        self.graph = graph
        self.audience = audience
        self.examinesVideos = examinesVideos
        self.problems = problems
        outbox = SharedLook(atMost: graph.database.isShared ? Self.patience : nil) {
            let pending = try await timelines.pending()
            let age = pending.oldest.map { max(SystemClock.milliseconds() - $0, 0) / 1000 }
            return OutboxDepth(pending: pending.count, oldestSeconds: age ?? 0)
        }
        let shards = timelines.serverCount ?? 1
        coldBuckets = timelines.cluster == nil ? nil : BucketMetrics()
        redisUp = (0..<shards).map { shard in
            Meter(label: MetricNames.redisUp, dimensions: shards == 1 ? [] : [("shard", String(shard))])
        }
    }

    /// Returns the same routes for another audience.
    package func told(to audience: Audience) -> OperationsRoutes {
        OperationsRoutes(
            timelines: timelines, metrics: metrics, graph: graph, audience: audience, examinesVideos: examinesVideos,
            problems: problems)
    }

    private func mayKnow(_ request: Request, _ context: GraphRequestContext) -> Bool {
        switch audience {
        case .everybody: true
        case .nobody: false
        case .loopback:
            context.isFromLoopback && !request.headers.contains(.forwarded) && !request.headers.contains(.xForwardedFor)
        }
    }

    /// `GET /healthz`: the process is alive.
    @Sendable func alive(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        return .json { json in
            json.beginObject()
            json.member("status", "alive")
            json.endObject()
        }
    }

    /// `GET /readyz`: 200 as long as requests are served, even while Redis is down; 503 without the database, or if it
    /// cannot be written or is damaged. Only the audience sees the state of the parts.
    @Sendable func ready(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let (outbox, problems) = await look()
        let isReady = !problems.contains(where: \.isSevere)
        let status = outbox == nil ? "unavailable" : problems.isEmpty ? "ready" : "degraded"
        guard mayKnow(request, context) else {
            return .json(isReady ? .ok : .serviceUnavailable) { json in
                json.beginObject()
                json.member("status", status)
                json.endObject()
            }
        }
        let shards = await timelines.serversAnswer()
        return .json(isReady ? .ok : .serviceUnavailable) { json in
            json.beginObject()
            json.member("status", status)
            json.member("database", outbox == nil ? "down" : "up")
            json.member("redis", shards.allSatisfy(\.self) ? "up" : "down")
            json.member("ffmpeg", examinesVideos ? "installed" : "missing")
            if shards.count > 1 { json.member("redisShards", shards.map { $0 ? "up" : "down" }) }
            if let (masters, coldBuckets) = timelines.cluster {
                json.key("redisCluster")
                json.beginObject()
                json.member("masters", masters)
                json.member("coldBuckets", coldBuckets.count)
                json.endObject()
            }
            json.key("outbox")
            json.beginObject()
            json.member("pending", outbox?.pending ?? 0)
            json.member("oldestSeconds", outbox?.oldestSeconds ?? 0)
            json.endObject()
            if !problems.isEmpty {
                json.key("problems")
                json.beginArray()
                for problem in problems {
                    json.beginObject()
                    json.member("code", problem.code.rawValue)
                    json.member("detail", problem.detail)
                    json.endObject()
                }
                json.endArray()
            }
            json.endObject()
        }
    }

    /// `GET /metrics`, Prometheus text format 0.0.4; 404 for everybody but the audience.
    @Sendable func metrics(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        guard mayKnow(request, context) else { throw Problem(.notFound, "This server has no such path.") }
        try request.refuseQuery()
        let (outbox, problems) = await look()
        if let outbox { try await readBacklogs(outbox) }
        for (meter, answers) in zip(redisUp, await timelines.serversAnswer()) { meter.set(answers ? 1 : 0) }
        if let coldBuckets, let cluster = timelines.cluster { coldBuckets.set(cluster.coldBuckets) }
        waitingFolds.set(timelines.waitingFolds)
        let present = Set(problems.map(\.code))
        for fault in faults { fault.meter.set(present.contains(fault.code) ? 1 : 0) }
        return Response(
            status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
            body: .init(byteBuffer: ByteBuffer(string: metrics.render())))
    }

    /// Looks at the database, which tells of its jobs, and at all else that may be wrong. The first value is nil if the
    /// database does not answer.
    private func look() async -> (OutboxDepth?, [ReadinessProblem]) {
        do {
            return (try await outbox.value(), problems())
        } catch {
            return (nil, problems() + [.databaseDown(error)])
        }
    }

    /// Sets the metrics of work that waits. Without a database they keep their last values.
    private func readBacklogs(_ outbox: OutboxDepth) async throws {
        pendingJobs.set(outbox.pending)
        oldestJob.set(outbox.oldestSeconds)
        let pushes = try await graph.pushDeliveries.pushBacklog()
        waitingEvents.set(pushes.events)
        waitingDeliveries.set(pushes.deliveries)
        waitingVideos.set(try await graph.mediaJobs.backlog())
        waitingMails.set(try await graph.mailQueue.backlog())
        try await deployment.read(graph.database)
    }
}

extension OperationsRoutes {
    /// Returns a router for these routes at a separate address.
    package func router() -> Router<GraphRequestContext> {
        let router = Router(context: GraphRequestContext.self, options: .autoGenerateHeadEndpoints)
        let routes = RouteTable()
        router.add(middleware: RequestObserver(routes: routes, metrics: RequestMetrics(factory: metrics)))
        router.get("/healthz", use: alive)
        router.get("/readyz", use: ready)
        router.get("/metrics", use: metrics)
        routes.fill(from: router)
        return router
    }
}
