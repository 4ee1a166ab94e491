import Hummingbird

extension GraphRouter {
    /// Rules, what they hold, and classifiers.
    func addRules(to v1: RouterGroup<GraphRequestContext>) {
        let rules = RuleRoutes(graph: posts.graph)
        v1.post("/moderation/rules", use: rules.create)
        v1.get("/moderation/rules", use: rules.rules)
        v1.post("/moderation/rules/dry-run", use: rules.dryRun)
        v1.get("/moderation/rules/{id}", use: rules.rule)
        v1.patch("/moderation/rules/{id}", use: rules.change)
        v1.delete("/moderation/rules/{id}", use: rules.delete)

        let queue = QueueRoutes(graph: posts.graph, publicURL: accounts.publicURL)
        v1.get("/moderation/queue", use: queue.queue)

        let classifiers = ClassifierRoutes(
            graph: posts.graph, addresses: webhookAddresses, breakers: classifierBreakers)
        v1.post("/moderation/classifiers", use: classifiers.create)
        v1.get("/moderation/classifiers", use: classifiers.classifiers)
        v1.patch("/moderation/classifiers/{id}", use: classifiers.change)
        v1.delete("/moderation/classifiers/{id}", use: classifiers.delete)
    }
}
