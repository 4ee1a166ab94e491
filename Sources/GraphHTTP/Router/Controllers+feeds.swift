import Hummingbird

// The routes of feeds, searches, topics and communities.

extension TimelineRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.get("/timelines/home", use: home)
        v1.get("/timelines/home/why/{postId}", use: why)
        v1.get("/timelines/public", use: everything)
        v1.get("/timelines/users/{id}", use: user)
        v1.get("/communities/{id}/timeline", use: community)
        v1.get("/algorithms", use: algorithms)
    }
}

extension TrendRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.get("/timelines/trending", use: trending)
        v1.get("/trends", use: topics)
    }
}

extension RecommendationRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.get("/timelines/for-you", use: forYou)
    }
}

extension StreamRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.get("/stream", use: home)
        v1.get("/posts/{id}/stream", use: post)
    }
}

extension SearchRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.get("/search/posts", use: posts)
        v1.get("/search/users", use: users)
        v1.get("/search/communities", use: communities)
    }
}

extension SimilarRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.post("/search/similar", use: search)
    }
}

extension TopicRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.put("/topics/{name}/follow", use: follow)
        v1.delete("/topics/{name}/follow", use: unfollow)
        v1.get("/me/topics", use: topics)
    }
}

extension CommunityRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.post("/communities", use: create)
        v1.get("/communities", use: communities)
        v1.get("/me/communities", use: ownCommunities)
        v1.get("/communities/{id}", use: community)
        v1.patch("/communities/{id}", use: change)
        v1.get("/communities/{id}/members", use: members)
        v1.post("/communities/{id}/join", use: join)
        v1.post("/communities/{id}/leave", use: leave)
        v1.put("/communities/{id}/home", use: setHome)
    }
}

extension JoinRequestRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.get("/communities/{id}/requests", use: requests)
        v1.put("/communities/{id}/requests/{userId}", use: approve)
        v1.delete("/communities/{id}/requests/{userId}", use: decline)
    }
}
