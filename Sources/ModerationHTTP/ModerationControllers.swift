import GraphHTTP
import GraphServices
import Hummingbird
import SocialGraph
import Timeline

/// The controllers of moderation in `/v1`.
package struct ModerationControllers: Sendable {
    let graph: GraphStore
    let timelines: TimelineService
    let budgets: Budgets
    let urls: PublicURL
    /// The guard of classifiers' addresses; nil if the server calls none.
    let addresses: AddressGuard?
    let breakers: ClassifierBreakers
    let dashboard: Dashboard

    package init(
        graph: GraphStore, timelines: TimelineService, budgets: Budgets, urls: PublicURL, addresses: AddressGuard?,
        breakers: ClassifierBreakers, dashboard: Dashboard
    ) {
        self.graph = graph
        self.timelines = timelines
        self.budgets = budgets
        self.urls = urls
        self.addresses = addresses
        self.breakers = breakers
        self.dashboard = dashboard
    }

    package var all: [any Controller] {
        let reader = timelines.readers
        let publicURL: @Sendable (String) -> String = { [urls] in urls.absolute($0) }
        return [
            ModerationActionRoutes(graph: graph, budgets: budgets),
            ReportRoutes(graph: graph, timelines: reader, publicURL: publicURL),
            AppealRoutes(graph: graph),
            ModlogRoutes(graph: graph),
            AuditRoutes(graph: graph),
            ModeratedUserRoutes(graph: graph, timelines: reader),
            ModeratedCommunityRoutes(graph: graph),
            DashboardRoutes(graph: graph, timelines: timelines, dashboard: dashboard),
            RuleRoutes(graph: graph),
            QueueRoutes(graph: graph, publicURL: publicURL),
            ClassifierRoutes(graph: graph, addresses: addresses, breakers: breakers),
        ]
    }
}

extension ModerationActionRoutes: Controller {
    package func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.post("/moderation/actions", use: order)
        v1.post("/moderation/batches/{batch}/undo", use: undo)
    }
}

extension ReportRoutes: Controller {
    package func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.post("/reports", use: file)
        v1.get("/moderation/reports", use: reports)
        v1.get("/moderation/cases", use: cases)
        v1.get("/moderation/reports/{id}", use: report)
    }
}

extension AppealRoutes: Controller {
    package func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.post("/appeals", use: appeal)
        v1.get("/appeals", use: ownAppeals)
        v1.get("/moderation/appeals", use: appeals)
    }
}

extension ModlogRoutes: Controller {
    package func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.get("/moderation/modlog", use: modlog)
        v1.get("/moderation/modlog/verify", use: verify)
        v1.delete("/moderation/modlog/{entryId}/note", use: eraseNote)
        v1.get("/modlog", use: publicModlog)
        v1.get("/me/moderation", use: ownModeration)
        v1.get("/me/strikes", use: ownStrikes)
    }
}

extension AuditRoutes: Controller {
    package func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.get("/admin/audit", use: entries)
    }
}

extension ModeratedUserRoutes: Controller {
    package func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.get("/moderation/users", use: users)
        v1.get("/moderation/users/{id}", use: user)
        v1.get("/moderation/users/{id}/home", use: home)
        v1.get("/moderation/users/{id}/why/{postId}", use: why)
    }
}

extension ModeratedCommunityRoutes: Controller {
    package func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.get("/moderation/communities", use: communities)
        v1.get("/moderation/communities/{id}", use: community)
        v1.get("/moderation/communities/{id}/members", use: members)
    }
}

extension DashboardRoutes: Controller {
    package func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.get("/moderation/dashboard", use: figures)
    }
}

extension RuleRoutes: Controller {
    package func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.post("/moderation/rules", use: create)
        v1.get("/moderation/rules", use: rules)
        v1.post("/moderation/rules/dry-run", use: dryRun)
        v1.get("/moderation/rules/{id}", use: rule)
        v1.patch("/moderation/rules/{id}", use: change)
        v1.delete("/moderation/rules/{id}", use: delete)
    }
}

extension QueueRoutes: Controller {
    package func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.get("/moderation/queue", use: queue)
    }
}

extension ClassifierRoutes: Controller {
    package func addRoutes(to v1: RouterGroup<GraphRequestContext>) {
        v1.post("/moderation/classifiers", use: create)
        v1.get("/moderation/classifiers", use: classifiers)
        v1.patch("/moderation/classifiers/{id}", use: change)
        v1.delete("/moderation/classifiers/{id}", use: delete)
    }
}
