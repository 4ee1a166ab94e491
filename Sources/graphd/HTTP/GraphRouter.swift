import Discovery
import GraphServices
import Hummingbird
import SocialGraph
import Timeline

/// The whole route table.
struct GraphRouter {
    let accounts: AccountRoutes
    let sessions: SessionRoutes
    let follows: FollowRoutes
    let posts: PostRoutes
    let timelines: TimelineRoutes
    let trends: TrendRoutes
    let streams: StreamRoutes
    let media: MediaRoutes
    let products: ProductServices
    let operations: OperationsRoutes
    let authentication: Authentication
    let rateLimit: RateLimit
    let proxies: TrustedProxies
    let discovery: DiscoveryServices
    let webhookAddresses: AddressGuard?
    let classifierBreakers: ClassifierBreakers
    let storage: StorageState

    func build() -> Router<GraphRequestContext> {
        let router = Router(context: GraphRequestContext.self, options: .autoGenerateHeadEndpoints)
        let routes = RouteTable()
        router.add(
            middleware: RequestObserver(
                routes: routes, metrics: RequestMetrics(factory: operations.metrics), proxies: proxies))
        router.add(middleware: RequestTextCheck())

        router.get("/healthz", use: operations.alive)
        router.get("/readyz", use: operations.ready)
        router.get("/metrics", use: operations.metrics)

        let console = ConsoleRoutes()
        router.get("/console", use: console.page)
        router.get("/console/{file}", use: console.file)

        router.get("/media/{file}", use: media.file)

        let open = router.group("/v1")
        open.add(middleware: rateLimit)
        open.add(middleware: StorageGate(state: storage))
        open.post("/auth/signup", use: accounts.signUp)
        open.post("/auth/login", use: accounts.logIn)
        open.post("/auth/refresh", use: sessions.refresh)

        let v1 = router.group("/v1").add(middleware: authentication)
        v1.add(middleware: rateLimit)
        v1.add(middleware: StorageGate(state: storage))
        addUsers(to: v1)
        addSessions(to: v1)
        addRelations(to: v1)
        v1.post("/media", use: media.store)
        addPosts(to: v1)
        addSaves(to: v1)
        addSegments(to: v1)
        addConversations(to: v1)
        addTopicsAndCommunities(to: v1)
        addTimelines(to: v1)
        addTrends(to: v1)
        addSearches(to: v1)
        addSimilar(to: v1)
        addPush(to: v1)
        addRecommendations(to: v1)
        addModeration(to: v1)
        addRules(to: v1)

        addProducts(to: router)
        routes.fill(from: router)
        return router
    }

    /// Each product's contract under its own base path.
    private func addProducts(to router: Router<GraphRequestContext>) {
        func groups(
            _ path: RouterPath, _ errors: BriefErrors
        ) -> (open: RouterGroup<GraphRequestContext>, closed: RouterGroup<GraphRequestContext>) {
            let open = router.group(path).add(middleware: errors)
            let closed = router.group(path).add(middleware: errors).add(middleware: authentication)
            for group in [open, closed] { group.add(middleware: rateLimit) }
            for group in [open, closed] { group.add(middleware: StorageGate(state: storage)) }
            return (open, closed)
        }
        let vistaVid = groups("/vistavid", VistaVidRoutes.errors)
        VistaVidRoutes(services: products).add(open: vistaVid.open, to: vistaVid.closed)
        let social = groups("/social", SocialRoutes.errors)
        SocialRoutes(services: products).add(open: social.open, to: social.closed)
        func add<Product: VideoProduct>(_ product: Product.Type) {
            let own = groups(product.base, product.errors)
            VideoRoutes<Product>(services: products, sessions: sessions).add(open: own.open, to: own.closed)
        }
        add(FitStream.self)
        add(ReelAI.self)
        add(FitFocus.self)
    }

    private func addUsers(to v1: RouterGroup<GraphRequestContext>) {
        let profiles = ProfileRoutes(accounts: accounts)
        v1.get("/me", use: profiles.me)
        v1.patch("/me", use: profiles.changeMe)
        let deletions = DeletionRoutes(graph: accounts.graph, passwords: accounts.passwords)
        v1.delete("/me", use: deletions.delete)
        let exports = ExportRoutes(
            graph: accounts.graph, budgets: rateLimit.budgets, publicURL: accounts.publicURL,
            encode: posts.encoding.fragment(of:))
        v1.get("/me/export", use: exports.export)
        v1.get("/users/by-username/{username}", use: accounts.userByName)
        v1.get("/users/{id}", use: accounts.user)
    }

    private func addSessions(to v1: RouterGroup<GraphRequestContext>) {
        v1.post("/auth/logout", use: sessions.logOut)
        v1.post("/auth/logout-everywhere", use: sessions.logOutEverywhere)
        v1.put("/me/password", use: sessions.changePassword)
        v1.get("/me/sessions", use: sessions.list)
        v1.get("/me/logins", use: sessions.logins)
        v1.delete("/me/sessions/{id}", use: sessions.end)
    }

    private func addRelations(to v1: RouterGroup<GraphRequestContext>) {
        v1.put("/users/{id}/follow", use: follows.follow)
        v1.delete("/users/{id}/follow", use: follows.unfollow)
        v1.get("/users/{id}/followers", use: follows.followers)
        v1.get("/users/{id}/following", use: follows.following)
        v1.get("/users/{id}/mutuals", use: follows.mutuals)

        let blocks = BlockRoutes(graph: posts.graph)
        v1.put("/users/{id}/block", use: blocks.block)
        v1.delete("/users/{id}/block", use: blocks.unblock)
        v1.get("/me/blocks", use: blocks.blocks)

        let mutes = MuteRoutes(graph: posts.graph)
        v1.put("/users/{id}/mute", use: mutes.mute)
        v1.delete("/users/{id}/mute", use: mutes.unmute)
        v1.get("/me/mutes", use: mutes.mutes)
    }

    private func addPosts(to v1: RouterGroup<GraphRequestContext>) {
        v1.post("/posts", use: posts.publish)
        v1.get("/posts/{id}", use: posts.post)
        v1.patch("/posts/{id}", use: posts.edit)
        v1.delete("/posts/{id}", use: posts.delete)

        let visibility = PostVisibilityCheck(timelines: posts.timelines)
        let deliveries = DeliveryRoutes(graph: posts.graph, visibility: visibility)
        v1.get("/posts/{id}/delivery", use: deliveries.receipt)

        let reshares = ReshareRoutes(graph: posts.graph, visibility: visibility)
        v1.put("/posts/{id}/reshare", use: reshares.reshare)
        v1.delete("/posts/{id}/reshare", use: reshares.unreshare)

        let likes = LikeRoutes(graph: posts.graph, visibility: visibility)
        v1.put("/posts/{id}/like", use: likes.like)
        v1.delete("/posts/{id}/like", use: likes.unlike)
        v1.get("/posts/{id}/likes", use: likes.likes)
        v1.get("/me/likes", use: likes.ownLikes)
        v1.post("/posts/{id}/shares", use: likes.shareExternally)

        let collaborations = CollaborationRoutes(graph: posts.graph, visibility: visibility)
        v1.put("/posts/{id}/collaborators/{userId}", use: collaborations.invite)
        v1.delete("/posts/{id}/collaborators/{userId}", use: collaborations.remove)
        v1.post("/posts/{id}/collaboration/accept", use: collaborations.accept)
        v1.post("/posts/{id}/collaboration/decline", use: collaborations.decline)
        v1.post("/posts/{id}/collaboration/leave", use: collaborations.leave)
    }

    private func addSaves(to v1: RouterGroup<GraphRequestContext>) {
        let visibility = PostVisibilityCheck(timelines: posts.timelines)
        let saves = SaveRoutes(graph: posts.graph, timelines: posts.timelines, visibility: visibility)
        v1.put("/posts/{id}/save", use: saves.save)
        v1.delete("/posts/{id}/save", use: saves.unsave)
        v1.get("/me/saves", use: saves.saves)

        let collections = CollectionRoutes(graph: posts.graph, timelines: posts.timelines, visibility: visibility)
        v1.post("/me/collections", use: collections.create)
        v1.get("/me/collections", use: collections.collections)
        v1.get("/me/collections/{id}", use: collections.collection)
        v1.patch("/me/collections/{id}", use: collections.rename)
        v1.delete("/me/collections/{id}", use: collections.delete)
        v1.get("/me/collections/{id}/posts", use: collections.posts)
        v1.put("/me/collections/{id}/posts/{postId}", use: collections.add)
        v1.delete("/me/collections/{id}/posts/{postId}", use: collections.remove)
        v1.put("/me/collections/{id}/order", use: collections.reorder)
    }

    private func addSegments(to v1: RouterGroup<GraphRequestContext>) {
        let visibility = PostVisibilityCheck(timelines: posts.timelines)
        let routes = SegmentRoutes(segments: discovery.segments, visibility: visibility)
        v1.put("/posts/{id}/segments", use: routes.replace)
        v1.get("/posts/{id}/segments", use: routes.contents)
        v1.put("/posts/{id}/transcript", use: routes.replaceTranscript)
        v1.get("/posts/{id}/transcript", use: routes.transcript)
        v1.delete("/posts/{id}/transcript", use: routes.deleteTranscript)
        v1.post("/posts/{id}/jump", use: routes.jump)
    }

    private func addConversations(to v1: RouterGroup<GraphRequestContext>) {
        let visibility = PostVisibilityCheck(timelines: posts.timelines)
        let comments = CommentRoutes(graph: posts.graph, timelines: posts.timelines, visibility: visibility)
        v1.post("/posts/{id}/comments", use: comments.comment)
        v1.get("/posts/{id}/comments", use: comments.comments)
        v1.get("/comments/{id}", use: comments.show)
        v1.patch("/comments/{id}", use: comments.edit)
        v1.delete("/comments/{id}", use: comments.delete)

        let notifications = NotificationRoutes(graph: posts.graph, timelines: posts.timelines)
        v1.get("/notifications", use: notifications.notifications)
        v1.get("/notifications/unread-count", use: notifications.unreadCount)
        v1.put("/notifications/read", use: notifications.markAllRead)
        v1.put("/notifications/{id}/read", use: notifications.markRead)
    }

    private func addTopicsAndCommunities(to v1: RouterGroup<GraphRequestContext>) {
        let topics = TopicRoutes(graph: posts.graph)
        v1.put("/topics/{name}/follow", use: topics.follow)
        v1.delete("/topics/{name}/follow", use: topics.unfollow)
        v1.get("/me/topics", use: topics.topics)

        let communities = CommunityRoutes(graph: posts.graph)
        v1.post("/communities", use: communities.create)
        v1.get("/communities", use: communities.communities)
        v1.get("/me/communities", use: communities.ownCommunities)
        v1.get("/communities/{id}", use: communities.community)
        v1.patch("/communities/{id}", use: communities.change)
        v1.get("/communities/{id}/members", use: communities.members)
        v1.post("/communities/{id}/join", use: communities.join)
        v1.post("/communities/{id}/leave", use: communities.leave)
        v1.put("/communities/{id}/home", use: communities.setHome)

        let requests = JoinRequestRoutes(graph: posts.graph)
        v1.get("/communities/{id}/requests", use: requests.requests)
        v1.put("/communities/{id}/requests/{userId}", use: requests.approve)
        v1.delete("/communities/{id}/requests/{userId}", use: requests.decline)
    }

    private func addTimelines(to v1: RouterGroup<GraphRequestContext>) {
        v1.get("/timelines/home", use: timelines.home)
        v1.get("/timelines/home/why/{postId}", use: timelines.why)
        v1.get("/timelines/public", use: timelines.everything)
        v1.get("/timelines/users/{id}", use: timelines.user)
        v1.get("/communities/{id}/timeline", use: timelines.community)
        v1.get("/algorithms", use: timelines.algorithms)
        v1.get("/stream", use: streams.home)
        v1.get("/posts/{id}/stream", use: streams.post)
    }

    private func addPush(to v1: RouterGroup<GraphRequestContext>) {
        let devices = DeviceRoutes(graph: posts.graph)
        v1.put("/me/devices/{token}", use: devices.register)
        v1.get("/me/devices", use: devices.devices)
        v1.delete("/me/devices/{token}", use: devices.remove)

        let settings = PushSettingsRoutes(graph: posts.graph)
        v1.get("/me/push-settings", use: settings.settings)
        v1.put("/me/push-settings", use: settings.setSettings)
        v1.get("/me/reminders", use: settings.reminders)
        v1.put("/me/reminders", use: settings.setReminders)

        let webhooks = WebhookRoutes(graph: posts.graph, addresses: webhookAddresses)
        v1.post("/me/webhooks", use: webhooks.add)
        v1.get("/me/webhooks", use: webhooks.webhooks)
        v1.delete("/me/webhooks/{id}", use: webhooks.remove)
        v1.get("/me/webhooks/{id}/deliveries", use: webhooks.deliveries)
        v1.post("/me/webhooks/{id}/deliveries/{deliveryId}/retry", use: webhooks.retry)
    }

    private func addTrends(to v1: RouterGroup<GraphRequestContext>) {
        v1.get("/timelines/trending", use: trends.trending)
        v1.get("/trends", use: trends.topics)
    }

    private func addSearches(to v1: RouterGroup<GraphRequestContext>) {
        let searches = SearchRoutes(
            graph: posts.graph, timelines: posts.timelines, posts: discovery.search, publicURL: accounts.publicURL)
        v1.get("/search/posts", use: searches.posts)
        v1.get("/search/users", use: searches.users)
        v1.get("/search/communities", use: searches.communities)
    }

    private func addSimilar(to v1: RouterGroup<GraphRequestContext>) {
        let visibility = PostVisibilityCheck(timelines: posts.timelines)
        let embeddings = EmbeddingRoutes(graph: posts.graph, visibility: visibility)
        v1.put("/posts/{id}/embedding", use: embeddings.put)
        v1.get("/posts/{id}/embedding", use: embeddings.get)
        v1.delete("/posts/{id}/embedding", use: embeddings.delete)
        let searches = SimilarRoutes(
            graph: posts.graph, timelines: posts.timelines, similar: discovery.similar, visibility: visibility)
        v1.post("/search/similar", use: searches.search)
    }

    private func addRecommendations(to v1: RouterGroup<GraphRequestContext>) {
        let watches = WatchRoutes(
            graph: posts.graph, visibility: PostVisibilityCheck(timelines: posts.timelines))
        v1.post("/posts/{id}/watch", use: watches.watch)
        let routes = RecommendationRoutes(timelines: posts.timelines, recommendations: discovery.recommendations)
        v1.get("/timelines/for-you", use: routes.forYou)
    }
}
