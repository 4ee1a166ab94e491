import Database
import GraphServices
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import SocialGraph
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
            middleware: Self.gate { _, _ in
                guard isCurrent.withLock({ $0 }) else {
                    throw Problem(.notCurrent, "Later.", advice: [.retry(afterSeconds: 1)])
                }
                return .current()
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

    @Test func `a node without the primary answers reads with their age and refuses changes`() async throws {
        let router = Router(context: GraphRequestContext.self)
        router.add(
            middleware: RequestObserver(
                routes: RouteTable(), metrics: RequestMetrics(factory: PrometheusRegistry())))
        router.add(
            middleware: Self.gate { isRead, _ in
                if !isRead { throw Problem(.notCurrent, "Later.") }
                return .stale(.milliseconds(7_900))
            })
        for path: RouterPath in ["/v1/me", "/v1/posts/1/jump"] {
            router.get(path) { _, _ in "ok" }
            router.post(path) { _, _ in "ok" }
        }
        try await Application(router: router).test(.router) { client in
            for (method, path, isAnswered) in [
                (HTTPRequest.Method.get, "/v1/me", true), (.post, "/v1/posts/1/jump", true), (.post, "/v1/me", false),
            ] {
                let answer = try await client.executeRequest(uri: path, method: method, headers: [:], body: nil)
                #expect(answer.status == (isAnswered ? .ok : .serviceUnavailable), "\(method) \(path)")
                #expect(answer.headers[.staleSeconds] == (isAnswered ? "7" : nil))
            }
        }
    }

    @Test func `the first page of a home timeline is told in advance, for a token that was seen before`() async throws {
        let asked = Mutex<[FirstPage?]>([])
        let router = Router(context: GraphRequestContext.self)
        router.add(
            middleware: NodeGate(
                confirm: { _, page in
                    asked.withLock { $0.append(page) }
                    return .current()
                },
                likelyUser: { $0 == "seen" ? UserID(rawValue: 7) : nil }))
        for path: RouterPath in ["/v1/timelines/home", "/v1/me"] {
            router.get(path) { _, _ in "ok" }
            router.head(path) { _, _ in "ok" }
        }
        try await Application(router: router).test(.router) { client in
            let home = "/v1/timelines/home"
            let none = ["?limit=0", "?limit=101", "?cursor=1", "?limit=7&category=x", "?limit=7&limit=8", "?%", "?x"]
            let requests: [(uri: String, token: String, method: HTTPRequest.Method, limit: Int?)] =
                [
                    (home, "seen", .get, RequestLimits.defaultPageLimit), (home + "?limit=7", "seen", .get, 7),
                    (home, "other", .get, nil), (home, "seen", .head, nil), ("/v1/me", "seen", .get, nil),
                ] + none.map { (home + $0, "seen", .get, nil) }
            for request in requests {
                _ = try await client.executeRequest(
                    uri: request.uri, method: request.method, headers: [.authorization: "Bearer \(request.token)"],
                    body: nil)
                let page = asked.withLock { $0.removeLast() }
                #expect(page?.limit == request.limit, "\(request)")
                #expect(page == nil || page?.viewer == UserID(rawValue: 7))
            }
        }
    }

    private static func gate(_ confirm: @escaping ConfirmNode) -> NodeGate {
        NodeGate(confirm: confirm) { _ in nil }
    }
}
