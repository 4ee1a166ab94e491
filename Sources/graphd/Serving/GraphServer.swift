import Discovery
import Hummingbird
import Logging
import ServiceLifecycle
import SocialGraph
import Timeline
import UnixSignals

/// Puts the server together: from a configuration to services in the order in which they depend on each other.
struct GraphServer {
    let configuration: ServerConfiguration
    let metrics: PrometheusRegistry
    let logger: Logger

    /// How long a shutdown may take before what is left is cancelled; under the 10 s that supervisors usually wait.
    private static let shutdownLimit = Duration.seconds(7)

    /// Serves until SIGTERM or SIGINT: then requests under way are answered, fan-out stops where it is, and Redis
    /// goes last.
    /// `ready` is called with the port once requests are accepted.
    func run(ready: @escaping @Sendable (Int) -> Void = { _ in }) async throws {
        let directory = try DataDirectory.create(at: configuration.dataDirectory)
        let lock = try directory.lockForServing()
        defer { withExtendedLifetime(lock) {} }
        let graph = try directory.openGraph()
        let depth = WindowDepth(cap: configuration.windowCap)
        try await graph.store(String(depth.cap), as: "window_cap")
        try await graph.setHubThreshold(Int64(configuration.hubThreshold))
        try await fixEmbeddingDimension(of: graph)

        let (redis, privateRedis) = try redis(directory, depth)
        let standings = TokenStandings(graph: graph)
        let similar = SimilarIndex(graph: graph)
        graph.database.observeCommits { similar.observe($0.changes) }
        let urls = PublicURL(configured: configuration.publicURL)
        let timelines = try await TimelineService(
            graph: graph, redis: redis, depth: depth, idle: configuration.windowIdle, logger: logger,
            otherChanges: { changes in
                standings.observe(changes)
                similar.observe(changes)
            },
            encode: PostEncoding(publicURL: { urls.absolute($0) }).fragment(of:))
        let media = try mediaStore(directory, graph)
        let discovery = DiscoveryServices(
            graph: graph, timelines: timelines.reader, similar: similar, logger: logger)
        let addresses = webhookAddresses()
        let push = try await pushService(
            graph, PushSuggestions(graph: graph, timelines: timelines.reader, rankings: discovery.rankings), timelines,
            addresses)
        let application = Application(
            router: try await router(
                graph, timelines, standings, directory, media, urls, discovery, addresses
            ).build(),
            configuration: .init(
                address: .hostname(configuration.host, port: configuration.port), serverName: "graphd"),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? configuration.port
                urls.serve(host: configuration.host, port: port)
                ready(port)
            },
            logger: logger)
        let eraser = Eraser(graph: graph, logger: logger)
        let moderation = ModerationClock(graph: graph, logger: logger)
        let classifiers = classifierService(graph, addresses, urls)
        let sweeper = MediaSweeper(store: media, graph: graph, logger: logger)
        var services: [any Service] = [timelines, eraser, moderation, classifiers, sweeper] + discovery.running
        services += [push, application]
        if let privateRedis {
            services[0] = TimelinesOverPrivateRedis(timelines: timelines, redis: privateRedis)
            services.insert(PrivateRedisService(redis: privateRedis), at: 0)
        }
        var group = ServiceGroupConfiguration(
            services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: quiet(logger))
        group.maximumGracefulShutdownDuration = Self.shutdownLimit
        try await ServiceGroup(configuration: group).run()
    }

    private func fixEmbeddingDimension(of graph: GraphStore) async throws {
        guard let dimension = configuration.embeddingDimension else { return }
        do {
            try await graph.setEmbeddingDimension(dimension)
        } catch GraphError.dimensionMismatch(let stored, _) {
            throw CommandFailure(
                "The embeddings in \(configuration.dataDirectory) have \(stored) dimensions, and "
                    + "\(Setting.embeddingDimension.flag) says \(dimension). Leave it out to keep them, or remove "
                    + "them first with 'graphd embeddings clear'.")
        }
    }

    /// The outside Redis that the configuration names, else a private one that is ours to run.
    private func redis(
        _ directory: DataDirectory, _ depth: WindowDepth
    ) throws -> (configuration: RedisConfiguration, toRun: PrivateRedis?) {
        if let outside = configuration.redis { return (outside, nil) }
        let own = try PrivateRedis(
            dataDirectory: directory.path, options: .init(maxListpackEntries: depth.listpackEntries), logger: logger)
        return (own.configuration, own)
    }

    /// The stored files of the directory, without what a killed process has left half done.
    private func mediaStore(_ directory: DataDirectory, _ graph: GraphStore) throws -> MediaStore {
        do {
            return MediaStore(
                directory: try MediaDirectory(at: directory.media), graph: graph,
                limits: .init(video: configuration.maxUpload), logger: logger)
        } catch let failure as FileFailure {
            throw CommandFailure("The directory \(directory.media) cannot be used: \(failure)")
        }
    }

    private func router(
        _ graph: GraphStore, _ timelines: TimelineService, _ standings: TokenStandings, _ directory: DataDirectory,
        _ media: MediaStore, _ urls: PublicURL, _ discovery: DiscoveryServices, _ addresses: AddressGuard?
    ) async throws -> GraphRouter {
        let tokens = await TokenIssuer(key: try TokenKey.loadOrCreate(inDirectory: directory.path))
        let rateLimit =
            configuration.rateLimit > 0 ? RateLimit(limiter: RateLimiter(perSecond: configuration.rateLimit)) : nil
        let trendRoutes = TrendRoutes(
            graph: graph, timelines: timelines.reader, trends: discovery.trends, rankings: discovery.rankings)
        let passwords = PasswordHasher()
        let sessions = SessionIssuer(
            graph: graph, tokens: tokens, tokenLifetime: configuration.tokenLifetime,
            refreshLifetime: configuration.refreshLifetime)
        let authentication = Authentication(
            callers: CallerVerifier(tokens: tokens, standings: standings, outside: outsideUsers(graph, standings)),
            rateLimit: rateLimit)
        let upload = MediaUpload(store: media, thumbnailer: Thumbnailer(logger: logger))
        let accounts = AccountRoutes(
            graph: graph, passwords: passwords, sessions: sessions, pictures: upload.profilePictures,
            publicURL: { urls.absolute($0) })
        return GraphRouter(
            accounts: accounts,
            sessions: SessionRoutes(graph: graph, passwords: passwords, sessions: sessions),
            follows: FollowRoutes(graph: graph),
            posts: PostRoutes(
                graph: graph, timelines: timelines.reader, trends: discovery.trends,
                media: MediaReferences(graph: graph, urls: urls),
                encoding: PostEncoding(publicURL: accounts.publicURL)),
            timelines: TimelineRoutes(graph: graph, timelines: timelines.reader, trends: trendRoutes),
            trends: trendRoutes,
            streams: StreamRoutes(
                streams: timelines.streams, postStreams: timelines.postStreams, timelines: timelines.reader,
                callers: authentication.callers),
            media: MediaRoutes(
                graph: graph, upload: upload, files: FileResponse(store: media),
                access: MediaAccess(graph: graph, timelines: timelines.reader), authentication: authentication,
                rateLimit: rateLimit, urls: urls),
            products: ProductServices(
                graph: graph, timelines: timelines.reader, accounts: accounts, uploads: upload,
                trends: BusinessTrends(
                    graph: graph, timelines: timelines.reader, trends: discovery.trends, rankings: discovery.rankings),
                search: discovery.search, segments: VideoSegments(segments: discovery.segments),
                recommendations: discovery.recommendations,
                urls: urls),
            operations: OperationsRoutes(timelines: timelines, metrics: metrics, graph: graph),
            authentication: authentication,
            rateLimit: rateLimit,
            discovery: discovery,
            webhookAddresses: addresses)
    }

    private func outsideUsers(_ graph: GraphStore, _ standings: TokenStandings) -> OutsideUsers? {
        guard let issuer = configuration.outsideIssuer else { return nil }
        let now = SystemClock.milliseconds
        let source = KeySource(fetch: KeyFetching.fetch(issuer.keys), now: now, logger: logger)
        return OutsideUsers(
            graph: graph, tokens: OutsideTokens(issuer: issuer, source: source, now: now), standings: standings)
    }

    /// The service group's own chatter, one level down.
    private func quiet(_ logger: Logger) -> Logger {
        var logger = logger
        logger.logLevel = max(logger.logLevel, .warning)
        return logger
    }
}

/// The private Redis as a service: started before what uses it, stopped after it.
private struct PrivateRedisService: Service {
    let redis: PrivateRedis

    func run() async throws {
        try await cancelWhenGracefulShutdown { try await redis.run() }
    }
}

/// Connects to no Redis before our own child answers: until then, one that a killed server has left behind may hold the
/// socket, and it must not be used. Requests are answered from SQLite meanwhile.
private struct TimelinesOverPrivateRedis: Service {
    let timelines: TimelineService
    let redis: PrivateRedis

    func run() async throws {
        // A Redis that takes longer is connected to whenever it comes: a leftover has been ended by then.
        try? await cancelWhenGracefulShutdown { try await redis.waitUntilReady() }
        try await timelines.run()
    }
}
