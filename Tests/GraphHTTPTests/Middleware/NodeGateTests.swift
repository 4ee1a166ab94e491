import GraphServices
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Synchronization
import TestSupport
import Testing

@testable import GraphHTTP

/// The gate of a node that serves beside others.
@Suite(.timeLimit(.unit))
struct NodeGateTests {
    @Test func `a node that is not current answers only questions about itself`() async throws {
        let isCurrent = Mutex(false)
        let router = Router(context: GraphRequestContext.self)
        let metrics = RequestMetrics(factory: PrometheusRegistry())
        router.add(middleware: RequestObserver(routes: RouteTable(), metrics: metrics))
        router.add(
            middleware: NodeGate {
                guard isCurrent.withLock({ $0 }) else {
                    throw Problem(.notCurrent, "Later.", advice: [.retry(afterSeconds: 1)])
                }
            })
        let own: [RouterPath] = ["/healthz", "/readyz", "/metrics"]
        for path in own + ["/v1/me", "/media/{file}"] { router.get(path) { _, _ in "ok" } }
        try await Application(router: router).test(.router) { client in
            for path in own {
                let answer = try await client.executeRequest(
                    uri: path.description, method: .get, headers: [:], body: nil)
                #expect(answer.status == .ok)
            }
            for path in ["/v1/me", "/media/1", "/no/such/path", "/healthz/more"] {
                let answer = try await client.executeRequest(uri: path, method: .get, headers: [:], body: nil)
                #expect(answer.status == .serviceUnavailable, "\(path)")
                #expect(answer.headers[.retryAfter] == "1")
                #expect(String(buffer: answer.body).contains("not_current"))
            }
            isCurrent.withLock { $0 = true }
            let answer = try await client.executeRequest(uri: "/v1/me", method: .get, headers: [:], body: nil)
            #expect(answer.status == .ok)
        }
    }
}
