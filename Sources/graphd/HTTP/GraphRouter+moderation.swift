import Hummingbird

extension GraphRouter {
    func addModeration(to v1: RouterGroup<GraphRequestContext>) {
        let graph = posts.graph
        let actions = ModerationActionRoutes(graph: graph)
        v1.post("/moderation/actions", use: actions.order)
        v1.post("/moderation/batches/{batch}/undo", use: actions.undo)

        let reports = ReportRoutes(graph: graph, timelines: posts.timelines)
        v1.post("/reports", use: reports.file)
        v1.get("/moderation/reports", use: reports.reports)
        v1.get("/moderation/reports/{id}", use: reports.report)

        let appeals = AppealRoutes(graph: graph)
        v1.post("/appeals", use: appeals.appeal)
        v1.get("/appeals", use: appeals.ownAppeals)
        v1.get("/moderation/appeals", use: appeals.appeals)

        let modlog = ModlogRoutes(graph: graph)
        v1.get("/moderation/modlog", use: modlog.modlog)
        v1.get("/moderation/modlog/verify", use: modlog.verify)
        v1.delete("/moderation/modlog/{entryId}/note", use: modlog.eraseNote)
        v1.get("/modlog", use: modlog.publicModlog)
        v1.get("/me/moderation", use: modlog.ownModeration)
        v1.get("/me/strikes", use: modlog.ownStrikes)

        let users = ModeratedUserRoutes(graph: graph, timelines: posts.timelines)
        v1.get("/moderation/users", use: users.users)
        v1.get("/moderation/users/{id}", use: users.user)
        v1.get("/moderation/users/{id}/home", use: users.home)
        v1.get("/moderation/users/{id}/why/{postId}", use: users.why)

        let communities = ModeratedCommunityRoutes(graph: graph)
        v1.get("/moderation/communities", use: communities.communities)
        v1.get("/moderation/communities/{id}", use: communities.community)
        v1.get("/moderation/communities/{id}/members", use: communities.members)

        let dashboard = DashboardRoutes(
            graph: graph, timelines: operations.timelines, dashboard: Dashboard(metrics: operations.metrics))
        v1.get("/moderation/dashboard", use: dashboard.figures)
    }
}
