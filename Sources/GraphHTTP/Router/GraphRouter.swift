import GraphServices
import HTTPMiddleware
import Hummingbird
import Idempotency
import TracingSpans

/// The whole route table: `/v1`, the product APIs, and the routes outside both.
package struct GraphRouter {
    let gates: RequestGates
    let services: RouteServices
    /// Controllers of `/v1` from other modules.
    let controllers: [any Controller]
    let products: [any ProductAPI]
    package let operations: OperationsRoutes

    package init(
        gates: RequestGates, services: RouteServices, controllers: [any Controller], products: [any ProductAPI],
        operations: OperationsRoutes
    ) {
        self.gates = gates
        self.services = services
        self.controllers = controllers
        self.products = products
        self.operations = operations
    }

    package func build() -> Router<GraphRequestContext> {
        let router = Router(context: GraphRequestContext.self, options: .autoGenerateHeadEndpoints)
        let routes = RouteTable()
        let tracer = SpanTracer.ambient
        if let tracer {
            router.add(
                middleware: RequestTracing(tracer: tracer) { [gates] in $1.isVouched(by: gates.proxies, for: $0) })
        }
        if let origins = gates.origins { router.add(middleware: CrossOrigin(origins)) }
        router.add(
            middleware: RequestObserver(
                routes: routes, metrics: RequestMetrics(factory: operations.metrics), proxies: gates.proxies,
                products: Dictionary(products.map { (String($0.base.description.dropFirst()), $0.errors) }) { $1 },
                isTraced: tracer != nil))
        router.add(middleware: RequestTextCheck())
        router.add(middleware: ContentCodingCheck())
        router.add(middleware: MethodsAnswer(routes: routes))
        router.add(middleware: Compression())
        if let node = gates.node { router.add(middleware: node) }

        router.get("/healthz", use: operations.alive)
        router.get("/readyz", use: operations.ready)
        router.get("/metrics", use: operations.metrics)

        router.get("/console", use: ConsoleFiles.site.page)
        router.get("/console/{file}", use: ConsoleFiles.site.file)
        router.get("/demo", use: DemoFiles.site.page)
        router.get("/demo/{file}", use: DemoFiles.site.file)
        router.get("/docs", use: ReferenceFiles.site.page)
        router.get("/docs/{file}", use: ReferenceFiles.site.file)
        router.get("/openapi.yaml", use: ReferenceRoutes().document)

        let media = services.media(gates)
        router.get("/media/{file}", use: media.file)

        let open = gated(group("/v1", of: router))
        let logIn = LogInRoutes(accounts: services.accounts)
        open.post("/auth/signup", use: logIn.signUp)
        open.post("/auth/login", use: logIn.logIn)
        open.post("/auth/refresh", use: logIn.refresh)
        services.recoveryRoutes.addOpenRoutes(to: open)

        let v1 = authenticated(group("/v1", of: router))
        for controller in services.controllers + controllers + [media] { controller.addRoutes(to: v1) }

        for product in products {
            let open = group(product.base, of: router).add(middleware: product.errors)
            let own = group(product.base, of: router).add(middleware: product.errors)
            product.add(open: gated(open), to: authenticated(own))
        }
        routes.fill(from: router)
        return router
    }

    private func authenticated(_ group: RouterGroup<GraphRequestContext>) -> RouterGroup<GraphRequestContext> {
        group.add(middleware: gates.authentication).add(middleware: gates.rateLimit)
            .add(middleware: IdempotencyKeys(store: services.graph.idempotency, uploads: services.uploads))
            .add(middleware: gates.storage)
    }

    private func group(
        _ base: RouterPath, of router: Router<GraphRequestContext>
    ) -> RouterGroup<GraphRequestContext> {
        router.group(base).add(middleware: ConditionalAnswers())
    }

    private func gated(_ group: RouterGroup<GraphRequestContext>) -> RouterGroup<GraphRequestContext> {
        group.add(middleware: gates.rateLimit).add(middleware: gates.storage)
    }
}
