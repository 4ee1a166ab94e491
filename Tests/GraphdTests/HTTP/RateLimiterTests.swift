import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import graphd

@Suite(.timeLimit(.minutes(20)))
struct RateLimiterTests {
    private let second: Int64 = 1_000_000_000

    @Test func aBurstIsAllowedAndThenTheRate() {
        let limiter = RateLimiter(perSecond: 2, burst: 3)
        let caller = RateLimiter.Caller.user(1)
        for _ in 0..<3 {
            #expect(limiter.admit(caller, now: 0) == .allowed)
        }
        #expect(limiter.admit(caller, now: 0) == .refused(retryAfterSeconds: 1))
        #expect(limiter.admit(caller, now: second / 2 - 1) != .allowed)
        #expect(limiter.admit(caller, now: second / 2) == .allowed)
        #expect(limiter.admit(caller, now: second / 2) != .allowed)
        for _ in 0..<3 {
            #expect(limiter.admit(caller, now: 100 * second) == .allowed)
        }
        #expect(limiter.admit(caller, now: 100 * second) != .allowed)
    }

    @Test func callersDoNotShareABucket() {
        let limiter = RateLimiter(perSecond: 1)
        #expect(limiter.admit(.user(1), now: 0) == .allowed)
        #expect(limiter.admit(.user(2), now: 0) == .allowed)
        #expect(limiter.admit(.address("1"), now: 0) == .allowed)
        #expect(limiter.admit(.user(1), now: 0) != .allowed)
    }

    @Test func theMiddlewareAnswers429WithRetryAfter() async throws {
        let router = Router(context: GraphRequestContext.self)
        let metrics = RequestMetrics(factory: PrometheusRegistry())
        router.add(middleware: RequestObserver(routes: RouteTable(), metrics: metrics))
        router.add(middleware: RateLimit(limiter: RateLimiter(perSecond: 1, burst: 1), now: { 0 }))
        router.get("/") { _, _ in "ok" }
        try await Application(router: router).test(.router) { client in
            let first = try await client.executeRequest(uri: "/", method: .get, headers: [:], body: nil)
            #expect(first.status == .ok)
            let second = try await client.executeRequest(uri: "/", method: .get, headers: [:], body: nil)
            #expect(second.status == .tooManyRequests)
            #expect(second.headers[.retryAfter] == "1")
        }
    }
}

@Suite(.timeLimit(.minutes(20)))
struct TwoGenerationMapTests {
    @Test func itIsBoundedAndKeepsWhatIsUsed() {
        var map = TwoGenerationMap<Int, Int>(capacity: 10)
        map[0] = 0
        for key in 1...1000 {
            map[key] = key
            #expect(map[0] == 0)
            #expect(map[key] == key)
            #expect(map.count <= 20)
        }
        #expect(map[500] == nil)
        map[1000] = nil
        #expect(map[1000] == nil)
    }

    @Test func overwritingAnOldEntryLeavesOneOfIt() {
        var map = TwoGenerationMap<Int, String>(capacity: 2)
        map[1] = "a"
        map[2] = "b"
        map[3] = "c"
        map[1] = "d"
        #expect(map[1] == "d")
        map[1] = nil
        #expect(map[1] == nil)
    }
}
