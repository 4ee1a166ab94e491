import AccountSecurity
import AppWebhooks
import CommandSupport
import Database
import Discovery
import GraphHTTP
import GraphServices
import Hummingbird
import Logging
import MediaFiles
import Metrics
import Moderation
import ModerationHTTP
import PostgreSQL
import ProductAPIs
import ServiceLifecycle
import Sessions
import SocialGraph
import Timeline
import TracingSpans
import UnixSignals

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
        let (clock, standbyReads) = (SteadyClock(), StandbyReads())
        let database = try directory.openDatabase(clock: clock, lock: lock, standbyReads: standbyReads)
        defer { close(database) }
        if configuration.acceptsClock { clock.confirm() }
        let storage = storageState(directory, database)
        let graph = GraphStore(database: database)
        try graph.database.openReaders()
        let entry = try await enter(directory, graph)
        let formerOwner = entry.formerOwner
        try await storage.readOnly.refresh(graph)
        await restoreQueue(graph)
        let depth = WindowDepth(cap: configuration.windowCap)

        let (redis, privateServers) = try redis(directory, depth)
        let revocations = TokenRevocations(graph: graph)
        let similar = SimilarIndex(graph: graph)
        let moderation = ModerationClock(graph: graph, logger: logger, now: clock.expiry)
        graph.database.observeCommits { similar.observe($0.changes) }
        let urls = PublicURL(configured: configuration.publicURL, files: configuration.mediaURL)
        let links = MediaLinks(graph: graph, urls: urls, now: clock.now)
        let timelines = try await timelines(graph, redis, depth, entry, urls) { changes in
            revocations.observe(changes)
            similar.observe(changes)
            moderation.observe(changes)
        }
        standbyReads.allow { [membership = entry.membership] in membership.staleness.map { _ in timelines.known } }
        let media = try await MediaOpening(configuration: configuration, node: entry.membership.node, logger: logger)
            .open(directory, graph)
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
            graph, timelines, revocations, directory, media, urls, links, discovery, addresses, keys, budget, storage,
            clock, journal, entry)
        let meter = ConnectionMeter(logger: logger, factory: metrics)
        let application = application(
            router.build(), certificates?.certificate, budget, meter
        ) { [configuration, membership = entry.membership] port in
            urls.serve(host: configuration.host, port: port, encrypted: configuration.certificate != nil)
            membership.listens(at: "\(configuration.host):\(port)")
            ready(port)
        }
        let (eraser, opened) = (Eraser(graph: graph, logger: logger), OpenedAccounts(graph: graph, logger: logger))
        let classifiers = classifierService(graph, formerOwner, addresses, urls, clock)
        let files = media.services(graph, entry, clock, logger)
        var upkeep: [any Service] = [eraser, opened, moderation, classifiers, push] + files.upkeep
        upkeep.append(appWebhookService(graph, addresses, urls, links, clock))
        if let mail = try await mailService(graph, formerOwner, clock) { upkeep.append(mail) }
        var services: [any Service] = [timelines] + files.everywhere + [journal] + discovery.running
        services += self.upkeep(upkeep, entry, graph)
        services += [storageWatch(storage, directory, database, clock), application]
        if let admin = adminApplication(router.operations, meter) { services.append(admin) }
        services += await watches(certificates, reloadables(firebase, keys, certificates))
        if let privateServers {
            services[0] = TimelinesOverPrivateRedis(timelines: timelines, redis: privateServers)
            services.insert(privateServers, at: 0)
        }
        try await run(entry.services + services, tracer)
    }

    private func restoreQueue(_ graph: GraphStore) async {
        do {
            try await graph.queue.restoreComments()
        } catch {
            logger.warning("the queue of held comments may lack some", metadata: [LogKeys.error: "\(error)"])
        }
    }

    /// Returns services of which only one node may run each: as one service, if there may be several nodes.
    private func upkeep(_ services: [any Service], _ entry: NodeEntry, _ graph: GraphStore) -> [any Service] {
        guard entry.isShared else { return services }
        let leases = LeaseStore(database: graph.database)
        return [Upkeep(services, of: entry.membership.node.id, in: leases, logger: logger)]
    }

    /// Runs `services` until a signal ends them.
    private func run(_ services: [any Service], _ tracer: SpanTracer?) async throws {
        // The first to start and the last to stop, so that it exports the spans of the others.
        let exporters = tracer.map { [exporter(of: $0)] } ?? []
        // By default a service is named by all that it holds, keys included.
        let named = (exporters + services).map {
            ServiceGroupConfiguration.ServiceConfiguration(service: $0, serviceName: "\(type(of: $0))")
        }
        var group = ServiceGroupConfiguration(
            services: named, gracefulShutdownSignals: signals.ending, logger: quiet(logger))
        group.maximumGracefulShutdownDuration = Self.shutdownLimit
        try await ServiceGroup(configuration: group).run()
    }

    /// Returns the services that watch this process and its files.
    private func watches(_ certificates: CertificateWatch?, _ files: [Reloadable]) async -> [any Service] {
        var services: [any Service] = []
        if let certificates { services.append(certificates) }
        if let limit = configuration.watchdog { services.append(WatchdogService(limit: limit, logger: logger)) }
        if let signal = signals.reloading {
            let hangups = await UnixSignalsSequence(trapping: signal)
            services.append(Reloading(hangups: hangups, parts: files, logger: logger))
        }
        return services
    }

    private func router(
        _ graph: GraphStore, _ timelines: TimelineService, _ revocations: TokenRevocations, _ directory: DataDirectory,
        _ media: ServedMedia, _ urls: PublicURL, _ links: MediaLinks, _ discovery: DiscoveryServices,
        _ addresses: AddressGuard?, _ keys: KeySource?, _ descriptors: DescriptorBudget, _ storage: StorageState,
        _ clock: SteadyClock, _ journal: LoginJournal, _ entry: NodeEntry
    ) async throws -> GraphRouter {
        let tokens = TokenIssuer(keys: try await TokenKeys(in: try await directory.tokenKeys(of: graph)))
        let budgets = Budgets(rates: configuration.ratesInForce, slots: descriptors.slots, nodes: entry.nodes)
        let rateLimit = RateLimit(budgets: budgets)
        let callers = CallerVerifier(
            tokens: tokens, revocations: revocations, oidc: oidcUsers(graph, revocations, keys, storage.readOnly))
        let upload = MediaUpload(
            store: media.service, examiner: RequestExaminer(media.tools, logger: logger), budgets: budgets,
            isShared: { [nodes = entry.nodes, isShared = media.bucket != nil] in isShared || nodes() == 1 })
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
                storage: storage, proxies: configuration.trustedProxies, origins: configuration.corsOrigins,
                confirm: entry.confirm(timelines)),
            services: RouteServices(
                graph: graph, timelines: timelines, accounts: accounts,
                recovery: AccountRecovery(
                    graph: graph, passwords: passwords, isSending: configuration.mail != nil),
                authenticators: Authenticators(
                    graph: graph, passwords: passwords, issuer: configuration.siteName),
                posting: posting, uploads: upload,
                files: FileResponse(store: media.service, budgets: budgets), links: links, discovery: discovery,
                budgets: budgets,
                callers: callers, urls: urls, addresses: addresses),
            controllers: ModerationControllers(
                graph: graph, timelines: timelines, budgets: budgets, urls: urls, addresses: addresses,
                breakers: classifierBreakers, dashboard: Dashboard(metrics: metrics)
            ).all + [AppWebhookRoutes(graph: graph, addresses: addresses)],
            products: ProductServices(
                graph: graph, timelines: timelines.readers, accounts: accounts, posting: posting, uploads: upload,
                trends: BusinessTrends(
                    graph: graph, timelines: timelines.readers, trends: discovery.trends, rankings: discovery.rankings),
                search: discovery.search, segments: VideoSegments(segments: discovery.segments),
                recommendations: discovery.recommendations, urls: urls
            ).contracts,
            operations: operations(graph, timelines, storage, clock, entry, media))
    }

    private func operations(
        _ graph: GraphStore, _ timelines: TimelineService, _ storage: StorageState, _ clock: SteadyClock,
        _ entry: NodeEntry, _ media: ServedMedia
    ) -> OperationsRoutes {
        OperationsRoutes(
            timelines: timelines, metrics: metrics, graph: graph,
            audience: configuration.adminAddress == nil ? .loopback : .nobody, examinesVideos: media.tools != nil,
            problems: { [membership = entry.membership, files = media.problems] in
                storage.problems + clock.problems + membership.problems + files()
            })
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
