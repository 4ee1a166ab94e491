import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import TestSupport
import Testing

@testable import GraphHTTP
@testable import GraphServices

/// The turns of reads that examine far more rows than they return.
@Suite(.timeLimit(.unit))
struct HeavyReadTests {
    @Test func `a body that is still being sent takes no turn from others`() async throws {
        let (begun, start) = AsyncStream<Void>.makeStream()
        let router = Router(context: GraphRequestContext.self)
        router.add(middleware: UnfinishedBodies(start: start))
        router.add(middleware: RateLimit(budgets: Budgets(rates: [:])))
        router.post("/v1/search/similar") { request, _ in
            _ = try await request.bodyBytes()
            return "ok"
        }
        router.get("/v1/search/users") { _, _ in "ok" }
        try await Application(router: router).test(.router) { client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                // As many as have a turn at once, and no user with more than one user may have.
                for place in 0..<BudgetLimits.heavyReadsAtOnce {
                    let user = "\(1 + place / BudgetLimits.heavyReadsPerCaller)"
                    group.addTask {
                        _ = try await client.executeRequest(
                            uri: "/v1/search/similar", method: .post, headers: [.testUser: user], body: nil)
                    }
                }
                var bodies = begun.makeAsyncIterator()
                for _ in 0..<BudgetLimits.heavyReadsAtOnce { _ = await bodies.next() }
                let answer = try await client.executeRequest(
                    uri: "/v1/search/users", method: .get, headers: [.testUser: "9"], body: nil)
                #expect(answer.status == .ok)
                group.cancelAll()
            }
        }
    }

    @Test func `a body that was read before its turn reaches the handler, within the limit of all bodies`() async throws
    {
        let router = Router(context: GraphRequestContext.self)
        let metrics = RequestMetrics(factory: PrometheusRegistry())
        router.add(middleware: RequestObserver(routes: RouteTable(), metrics: metrics))
        router.add(middleware: RateLimit(budgets: Budgets(rates: [:])))
        router.post("/v1/search/similar") { request, _ in "\(try await request.bodyBytes().count)" }
        try await Application(router: router).test(.router) { client in
            for (bytes, status) in [
                (RequestLimits.bodyBytes, HTTPResponse.Status.ok), (RequestLimits.bodyBytes + 1, .contentTooLarge),
            ] {
                let answer = try await client.executeRequest(
                    uri: "/v1/search/similar", method: .post, headers: [:],
                    body: ByteBuffer(repeating: UInt8(ascii: " "), count: bytes))
                #expect(answer.status == status)
                #expect(status != .ok || String(buffer: answer.body) == "\(bytes)")
            }
        }
    }
}

/// Names the caller of a request, and gives a `POST` a body that does not end before its task is cancelled.
private struct UnfinishedBodies: RouterMiddleware {
    let start: AsyncStream<Void>.Continuation

    func handle(
        _ request: Request, context: GraphRequestContext,
        next: (Request, GraphRequestContext) async throws -> Response
    ) async throws -> Response {
        context.caller.identify(as: request.headers[.testUser].flatMap { Int64($0) } ?? 0)
        guard request.method == .post else { return try await next(request, context) }
        var request = request
        let body = AsyncStream<ByteBuffer>(unfolding: { [start] in
            start.yield()
            // Not for synchronisation: the sleep is cancelled.
            try? await Task.sleep(for: .seconds(3_600))
            return nil
        })
        request.body = RequestBody(asyncSequence: body)
        return try await next(request, context)
    }
}

extension HTTPField.Name {
    fileprivate static let testUser = HTTPField.Name("Test-User")!
}
