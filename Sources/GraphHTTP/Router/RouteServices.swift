import AccountSecurity
import Discovery
import GraphServices
import MediaFiles
import SocialGraph
import Timeline

/// The services used by the routes of `/v1`.
package struct RouteServices: Sendable {
    let graph: GraphStore
    let timelines: TimelineService
    let accounts: AccountService
    let recovery: AccountRecovery
    let authenticators: Authenticators
    let posting: PostingService
    let uploads: MediaUpload
    let files: FileResponse
    let links: MediaLinks
    let discovery: DiscoveryServices
    let budgets: Budgets
    let callers: CallerVerifier
    let urls: PublicURL
    /// The guard of webhook and classifier addresses; nil if the server calls none.
    let addresses: AddressGuard?

    package init(
        graph: GraphStore, timelines: TimelineService, accounts: AccountService,
        recovery: AccountRecovery, authenticators: Authenticators, posting: PostingService, uploads: MediaUpload,
        files: FileResponse, links: MediaLinks,
        discovery: DiscoveryServices, budgets: Budgets,
        callers: CallerVerifier, urls: PublicURL, addresses: AddressGuard?
    ) {
        self.graph = graph
        self.timelines = timelines
        self.accounts = accounts
        self.recovery = recovery
        self.authenticators = authenticators
        self.posting = posting
        self.uploads = uploads
        self.files = files
        self.links = links
        self.discovery = discovery
        self.budgets = budgets
        self.callers = callers
        self.urls = urls
        self.addresses = addresses
    }
}

extension RouteServices {
    var recoveryRoutes: RecoveryRoutes { RecoveryRoutes(recovery: recovery) }
    private var reader: Timelines { timelines.readers }
    private var visibility: PostVisibilityCheck { PostVisibilityCheck(timelines: reader) }
    /// The URLs of profile pictures.
    private var publicURL: @Sendable (String) -> String { { [urls] in urls.shared($0) } }
    private var encoding: PostEncoding { PostEncoding(urls: urls) }
    private var trends: TrendRoutes {
        TrendRoutes(graph: graph, timelines: reader, trends: discovery.trends, rankings: discovery.rankings)
    }

    /// The controllers of `/v1` in this module.
    var controllers: [any Controller] { people + posts + feeds }

    private var people: [any Controller] {
        [
            ProfileRoutes(graph: graph, accounts: accounts, publicURL: publicURL),
            DeletionRoutes(accounts: accounts),
            ExportRoutes(graph: graph, budgets: budgets, encoding: encoding),
            UserRoutes(graph: graph, publicURL: publicURL),
            SessionRoutes(graph: graph, accounts: accounts),
            recoveryRoutes,
            AuthenticatorRoutes(graph: graph, authenticators: authenticators),
            FollowRoutes(graph: graph, timelines: reader),
            FollowRequestRoutes(graph: graph, timelines: reader),
            BlockRoutes(graph: graph, timelines: reader),
            MuteRoutes(graph: graph),
            MutedWordRoutes(graph: graph),
            NotificationRoutes(graph: graph, timelines: reader),
            DeviceRoutes(graph: graph),
            PushSettingsRoutes(graph: graph),
            WebhookRoutes(
                graph: graph, letters: DeadLetterReader(graph: graph, timelines: reader), addresses: addresses),
            ServiceTokenRoutes(graph: graph),
        ]
    }

    private var posts: [any Controller] {
        [
            PostRoutes(
                graph: graph, posting: posting, timelines: reader, trends: discovery.trends, encoding: encoding),
            RenditionRoutes(graph: graph, references: MediaReferences(graph: graph, urls: urls)),
            DeliveryRoutes(graph: graph, visibility: visibility),
            ReshareRoutes(graph: graph, visibility: visibility),
            LikeRoutes(graph: graph, timelines: reader, visibility: visibility),
            CollaborationRoutes(graph: graph, visibility: visibility),
            CommentRoutes(graph: graph, timelines: reader, visibility: visibility),
            SaveRoutes(graph: graph, timelines: reader, visibility: visibility),
            CollectionRoutes(graph: graph, timelines: reader, visibility: visibility),
            SegmentRoutes(graph: graph, segments: discovery.segments, visibility: visibility),
            EmbeddingRoutes(graph: graph, visibility: visibility),
            WatchRoutes(graph: graph, visibility: visibility),
        ]
    }

    private var feeds: [any Controller] {
        [
            TimelineRoutes(graph: graph, timelines: reader, trends: trends),
            trends,
            RecommendationRoutes(timelines: reader, recommendations: discovery.recommendations),
            StreamRoutes(
                graph: graph, streams: timelines.streams, postStreams: timelines.postStreams, timelines: reader,
                callers: callers, budgets: budgets),
            SearchRoutes(graph: graph, timelines: reader, posts: discovery.search, publicURL: publicURL),
            SimilarRoutes(graph: graph, timelines: reader, similar: discovery.similar, visibility: visibility),
            TopicRoutes(graph: graph),
            CommunityRoutes(graph: graph),
            JoinRequestRoutes(graph: graph, timelines: reader),
        ]
    }

    /// Returns the routes of files, which are also served without a token; the handler looks for it.
    func media(_ gates: RequestGates) -> MediaRoutes {
        MediaRoutes(
            graph: graph, upload: uploads, files: files, access: MediaAccess(graph: graph, timelines: reader),
            links: links, authentication: gates.authentication, rateLimit: gates.rateLimit, urls: urls)
    }
}
