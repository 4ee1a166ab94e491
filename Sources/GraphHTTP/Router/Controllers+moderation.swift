import Hummingbird

// The routes of moderation.

extension ModerationActionRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.post("/moderation/actions", use: order)
        v1.post("/moderation/batches/{batch}/undo", use: undo)
    }
}

extension ReportRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.post("/reports", use: file)
        v1.get("/moderation/reports", use: reports)
        v1.get("/moderation/cases", use: cases)
        v1.get("/moderation/reports/{id}", use: report)
    }
}

extension AppealRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.post("/appeals", use: appeal)
        v1.get("/appeals", use: ownAppeals)
        v1.get("/moderation/appeals", use: appeals)
    }
}

extension ModlogRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.get("/moderation/modlog", use: modlog)
        v1.get("/moderation/modlog/verify", use: verify)
        v1.delete("/moderation/modlog/{entryId}/note", use: eraseNote)
        v1.get("/modlog", use: publicModlog)
        v1.get("/me/moderation", use: ownModeration)
        v1.get("/me/strikes", use: ownStrikes)
    }
}

extension ModeratedUserRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.get("/moderation/users", use: users)
        v1.get("/moderation/users/{id}", use: user)
        v1.get("/moderation/users/{id}/home", use: home)
        v1.get("/moderation/users/{id}/why/{postId}", use: why)
    }
}

extension ModeratedCommunityRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.get("/moderation/communities", use: communities)
        v1.get("/moderation/communities/{id}", use: community)
        v1.get("/moderation/communities/{id}/members", use: members)
    }
}

extension DashboardRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.get("/moderation/dashboard", use: figures)
    }
}

extension RuleRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.post("/moderation/rules", use: create)
        v1.get("/moderation/rules", use: rules)
        v1.post("/moderation/rules/dry-run", use: dryRun)
        v1.get("/moderation/rules/{id}", use: rule)
        v1.patch("/moderation/rules/{id}", use: change)
        v1.delete("/moderation/rules/{id}", use: delete)
    }
}

extension QueueRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.get("/moderation/queue", use: queue)
    }
}

extension ClassifierRoutes: Controller {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.post("/moderation/classifiers", use: create)
        v1.get("/moderation/classifiers", use: classifiers)
        v1.patch("/moderation/classifiers/{id}", use: change)
        v1.delete("/moderation/classifiers/{id}", use: delete)
    }
}
