import Hummingbird
import SocialGraph
import Timeline

/// The whole route table.
struct GraphRouter {
    let accounts: AccountRoutes
    let follows: FollowRoutes
    let posts: PostRoutes
    let timelines: TimelineRoutes
    let operations: OperationsRoutes
    let authentication: Authentication
    let rateLimit: RateLimit?

    func build() -> Router<GraphRequestContext> {
        let router = Router(context: GraphRequestContext.self, options: .autoGenerateHeadEndpoints)
        let routes = RouteTable()
        router.add(middleware: RequestObserver(routes: routes, metrics: RequestMetrics(factory: operations.metrics)))

        router.get("/healthz", use: operations.alive)
        router.get("/readyz", use: operations.ready)
        router.get("/metrics", use: operations.metrics)

        let open = router.group("/v1")
        if let rateLimit { open.add(middleware: rateLimit) }
        open.post("/auth/signup", use: accounts.signUp)
        open.post("/auth/login", use: accounts.logIn)

        let v1 = router.group("/v1").add(middleware: authentication)
        if let rateLimit { v1.add(middleware: rateLimit) }
        v1.get("/me", use: accounts.me)
        v1.get("/users/by-username/{username}", use: accounts.userByName)
        v1.get("/users/{id}", use: accounts.user)
        v1.put("/users/{id}/follow", use: follows.follow)
        v1.delete("/users/{id}/follow", use: follows.unfollow)
        v1.get("/users/{id}/followers", use: follows.followers)
        v1.get("/users/{id}/following", use: follows.following)
        v1.get("/users/{id}/mutuals", use: follows.mutuals)
        v1.post("/posts", use: posts.publish)
        v1.get("/posts/{id}", use: posts.post)
        v1.delete("/posts/{id}", use: posts.delete)
        v1.get("/timelines/home", use: timelines.home)
        v1.get("/timelines/users/{id}", use: timelines.user)

        routes.fill(from: router)
        return router
    }
}
