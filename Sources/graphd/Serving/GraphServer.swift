import AccountSecurity
import AppWebhooks
import CommandSupport
import Database
import Discovery
import GraphHTTP
import GraphServices
import Hummingbird
import Logging
import Metrics
import Moderation
import ModerationHTTP
import ProductAPIs
import ServiceLifecycle
import SocialGraph
import Timeline
import TracingSpans

/// Builds the server: from a configuration to services in the order of their dependencies.
struct GraphServer {
    let configuration: ServerConfiguration
    let metrics: PrometheusRegistry
    let logger: Logger
    /// The file of the log, to be opened anew on a signal; nil if the log goes elsewhere.
    var logFile: LogFile?
    let classifierBreakers = ClassifierBreakers(opened: ClassifierBreakers.count)
    var signals = ServerSignals.serving

    /// Longest time of a shutdown before the rest is cancelled; under the 10 s that supervisors usually wait.
    private static let shutdownLimit = Duration.seconds(7)

    /// Serves until a signal or the graceful shutdown of a surrounding service group. Then requests in progress are
    /// answered, fan-out stops where it is, and Redis ends last. Calls `ready` with the port once it accepts requests.
    func run(ready: @escaping @Sendable (Int) -> Void = { _ in }) async throws {
        // Services make their metrics in the registry of this server, also if the process runs others.
        try await withMetricsFactory(metrics) {
            guard let tracer else { return try await serve(ready, nil) }
            try await tracer.bind { try await serve(ready, tracer) }
        }
    }

    private func serve(_ ready: @escaping @Sendable (Int) -> Void, _ tracer: SpanTracer?) async throws {
        let (directory, lock) = try openStorage()
        defer { withExtendedLifetime(lock) {} }
        let budget = try descriptorBudget()
        let certificates = try certificateWatch()
        let clock = SteadyClock()
        let database = try directory.openDatabase(clock: clock, lock: lock)
        defer { close(database) }
        if configuration.acceptsClock { clock.confirm() }
        let storage = storageState(directory, database)
        let graph = GraphStore(database: database)
        try graph.database.openReaders()
        let lease = try await databaseLease(directory, graph)
        // The lock guarantees that no other process serves a database of this directory.
        let formerOwner = lease?.formerOwner ?? .isDead
        try await storage.readOnly.refresh(graph)
        let depth = WindowDepth(cap: configuration.windowCap)
        try await storeSettings(in: graph, depth)

        let (redis, privateServers) = try redis(directory, depth)
        let revocations = TokenRevocations(graph: graph)
        let similar = SimilarIndex(graph: graph)
        graph.database.observeCommits { similar.observe($0.changes) }
        let urls = PublicURL(configured: configuration.publicURL)
        let timelines = try await TimelineService(
            graph: graph, formerOwner: formerOwner, redis: redis, depth: depth,
            options: TimelineOptions(idle: configuration.windowIdle),
            logger: logger,
            otherChanges: { changes in
                revocations.observe(changes)
                similar.observe(changes)
            },
            encoding: PostEncoding(publicURL: { urls.absolute($0) }).items)
        let media = try mediaService(directory, graph)
        let discovery = DiscoveryServices(
            graph: graph, timelines: timelines.readers, similar: similar, clock: clock.now, logger: logger)
        let addresses = webhookAddresses()
        let firebase = try await firebase()
        let push = pushService(
            graph, formerOwner, firebase,
            PushSuggestions(graph: graph, timelines: timelines.readers, rankings: discovery.rankings),
            timelines, addresses, clock)
        let (keys, journal) = (keySource(), LoginJournal(graph: graph, logger: logger))
        let router = try await router(
            graph, timelines, revocations, directory, media, urls, discovery, addresses, keys, budget, storage, clock,
            journal)
        let meter = ConnectionMeter(logger: logger, factory: metrics)
        let application = application(
            router.build(), certificates?.certificate, budget, meter
        ) { [configuration] port in
            urls.serve(host: configuration.host, port: port, encrypted: configuration.certificate != nil)
            ready(port)
        }
        let (eraser, opened) = (Eraser(graph: graph, logger: logger), OpenedAccounts(graph: graph, logger: logger))
        let moderation = ModerationClock(graph: graph, logger: logger, now: clock.expiry)
        let classifiers = classifierService(graph, formerOwner, addresses, urls, clock)
        let sweeper = MediaSweeper(store: media, graph: graph, logger: logger, now: clock.expiry)
        var services: [any Service] = [timelines, eraser, opened, moderation, classifiers, sweeper] + discovery.running
        services += [journal, push, appWebhookService(graph, addresses, urls, clock)]
        if let mail = try await mailService(graph, formerOwner, clock) { services.append(mail) }
        services += [storageWatch(storage, directory, database, clock), application]
        if let admin = adminApplication(router.operations, meter) { services.append(admin) }
        services += watches(certificates, reloadables(firebase, keys, certificates))
        if let privateServers {
            services[0] = TimelinesOverPrivateRedis(timelines: timelines, redis: privateServers)
            services.insert(privateServers, at: 0)
        }
        if let lease { services.insert(lease, at: 0) }
        try await run(services, tracer)
    }

    /// Runs `services` until a signal ends them.
    private func run(_ services: [any Service], _ tracer: SpanTracer?) async throws {
        // The first to start and the last to stop, so that it exports the spans of the others.
        let exporters = tracer.map { [exporter(of: $0)] } ?? []
        var group = ServiceGroupConfiguration(
            services: exporters + services, gracefulShutdownSignals: signals.ending, logger: quiet(logger))
        group.maximumGracefulShutdownDuration = Self.shutdownLimit
        try await ServiceGroup(configuration: group).run()
    }

    /// Returns the services that watch this process and its files.
    private func watches(_ certificates: CertificateWatch?, _ files: [Reloadable]) -> [any Service] {
        var services: [any Service] = []
        if let certificates { services.append(certificates) }
        if let limit = configuration.watchdog { services.append(WatchdogService(limit: limit, logger: logger)) }
        if let signal = signals.reloading {
            services.append(Reloading(signal: signal, parts: files, logger: logger))
        }
        return services
    }

    /// Stores the settings that belong to the data, so that commands beside the server follow them, too.
    private func storeSettings(in graph: GraphStore, _ depth: WindowDepth) async throws {
        try await graph.settings.store(String(depth.cap), as: "window_cap")
        try await graph.settings.store(configuration.retention)
        try await graph.hubs.setHubThreshold(Int64(configuration.hubThreshold))
        try await fixEmbeddingDimension(of: graph)
        try await graph.moderation.requireSecondFactor(configuration.requiredTOTP)
    }

    private func fixEmbeddingDimension(of graph: GraphStore) async throws {
        guard let dimension = configuration.embeddingDimension else { return }
        do {
            try await graph.embeddings.setEmbeddingDimension(dimension)
        } catch GraphError.dimensionMismatch(let stored, _) {
            throw CommandFailure(
                "The embeddings in \(configuration.dataDirectory) have \(stored) dimensions, and "
                    + "\(Setting.embeddingDimension.flag) is \(dimension). Omit it to keep them, or remove them "
                    + "first with 'graphd embeddings clear'.")
        }
    }

    private func router(
        _ graph: GraphStore, _ timelines: TimelineService, _ revocations: TokenRevocations, _ directory: DataDirectory,
        _ media: MediaService, _ urls: PublicURL, _ discovery: DiscoveryServices, _ addresses: AddressGuard?,
        _ keys: KeySource?, _ descriptors: DescriptorBudget, _ storage: StorageState, _ clock: SteadyClock,
        _ journal: LoginJournal
    ) async throws -> GraphRouter {
        let tokens = TokenIssuer(keys: try await TokenKeys(directory: directory.path))
        let budgets = Budgets(rates: configuration.ratesInForce, slots: descriptors.slots)
        let rateLimit = RateLimit(budgets: budgets)
        let callers = CallerVerifier(
            tokens: tokens, revocations: revocations, oidc: oidcUsers(graph, revocations, keys, storage.readOnly))
        let upload = MediaUpload(store: media, thumbnailer: Thumbnailer(logger: logger), budgets: budgets)
        let passwords = PasswordHasher(budgets: budgets, journal: journal)
        let accounts = AccountService(
            graph: graph, passwords: passwords,
            sessions: SessionIssuer(
                graph: graph, tokens: tokens, tokenLifetime: configuration.tokenLifetime,
                refreshLifetime: configuration.refreshLifetime),
            pictures: upload.profilePictures)
        let posting = PostingService(
            graph: graph, media: MediaReferences(graph: graph, urls: urls),
            visibility: PostVisibilityCheck(timelines: timelines.readers))
        return GraphRouter(
            gates: RequestGates(
                authentication: Authentication(callers: callers, rateLimit: rateLimit), rateLimit: rateLimit,
                storage: storage, proxies: configuration.trustedProxies, origins: configuration.corsOrigins),
            services: RouteServices(
                graph: graph, timelines: timelines, accounts: accounts,
                recovery: AccountRecovery(
                    graph: graph, passwords: passwords, isSending: configuration.mail != nil),
                authenticators: Authenticators(
                    graph: graph, passwords: passwords, issuer: configuration.siteName),
                posting: posting, uploads: upload,
                files: FileResponse(store: media, budgets: budgets), discovery: discovery, budgets: budgets,
                callers: callers, urls: urls, addresses: addresses),
            controllers: ModerationControllers(
                graph: graph, timelines: timelines, urls: urls, addresses: addresses, breakers: classifierBreakers,
                dashboard: Dashboard(metrics: metrics)
            ).all + [AppWebhookRoutes(graph: graph, addresses: addresses)],
            products: ProductServices(
                graph: graph, timelines: timelines.readers, accounts: accounts, posting: posting, uploads: upload,
                trends: BusinessTrends(
                    graph: graph, timelines: timelines.readers, trends: discovery.trends, rankings: discovery.rankings),
                search: discovery.search, segments: VideoSegments(segments: discovery.segments),
                recommendations: discovery.recommendations, urls: urls
            ).contracts,
            operations: operations(graph, timelines, storage, clock))
    }

    private func operations(
        _ graph: GraphStore, _ timelines: TimelineService, _ storage: StorageState, _ clock: SteadyClock
    ) -> OperationsRoutes {
        OperationsRoutes(
            timelines: timelines, metrics: metrics, graph: graph,
            audience: configuration.adminAddress == nil ? .loopback : .nobody,
            problems: { storage.problems + clock.problems })
    }

    private func keySource() -> KeySource? {
        configuration.oidcProvider.map {
            KeySource(fetch: KeyFetching.fetch($0.keys), now: SystemClock.milliseconds, logger: logger)
        }
    }

    private func oidcUsers(
        _ graph: GraphStore, _ revocations: TokenRevocations, _ source: KeySource?, _ readOnly: ReadOnlyMode
    ) -> OIDCUsers? {
        guard let issuer = configuration.oidcProvider, let source else { return nil }
        let now = SystemClock.milliseconds
        return OIDCUsers(
            graph: graph, tokens: OIDCTokens(issuer: issuer, source: source, now: now), revocations: revocations,
            readOnly: readOnly)
    }

    /// Returns a logger for the service group's own messages, one level down.
    func quiet(_ logger: Logger) -> Logger {
        var logger = logger
        logger.logLevel = max(logger.logLevel, .warning)
        return logger
    }
}
