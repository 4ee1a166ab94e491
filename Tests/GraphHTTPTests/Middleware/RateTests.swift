import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Synchronization
import TestSupport
import Testing

@testable import GraphHTTP
@testable import GraphServices

@Suite(.timeLimit(.unit))
struct RateTests {
    private let second: Int64 = 1_000_000_000

    @Test func `so many acts in any span of the window are allowed`() {
        let rate = Rate(3, per: .seconds(60))
        var log = RateLog()
        #expect(log.admit(rate, now: 0) == .allowed(remaining: 2, nextIn: 60 * second))
        #expect(log.admit(rate, now: 10 * second) == .allowed(remaining: 1, nextIn: 50 * second))
        #expect(log.admit(rate, now: 59 * second) == .allowed(remaining: 0, nextIn: second))
        #expect(log.admit(rate, now: 60 * second - 1) == .refused(retryIn: 1))
        #expect(log.admit(rate, now: 60 * second) == .allowed(remaining: 0, nextIn: 10 * second))
        #expect(log.admit(rate, now: 61 * second) == .refused(retryIn: 9 * second))
        #expect(log.admit(rate, now: 500 * second) == .allowed(remaining: 2, nextIn: 60 * second))
    }

    @Test func `acts that come together are admitted together or not at all`() {
        let rate = Rate(5, per: .seconds(60))
        var log = RateLog()
        #expect(log.admit(rate, acts: 3, now: 0) == .allowed(remaining: 2, nextIn: 60 * second))
        #expect(log.admit(rate, acts: 3, now: 10 * second) == .refused(retryIn: 50 * second))
        #expect(log.admit(rate, acts: 2, now: 10 * second) == .allowed(remaining: 0, nextIn: 50 * second))
        // More than the rate need all of it.
        #expect(log.admit(rate, acts: 9, now: 60 * second) == .refused(retryIn: 10 * second))
        #expect(log.admit(rate, acts: 9, now: 70 * second) == .allowed(remaining: 0, nextIn: 60 * second))
    }

    /// Compares with a list of all admitted acts, some of which are returned.
    @Test(arguments: 0..<40 as Range<UInt64>)
    func `the log is what a list of acts says`(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let rate = Rate(
            Int.random(in: 1...20, using: &random), per: .nanoseconds(Int64.random(in: 1...100, using: &random)))
        var (log, admitted, now) = (RateLog(), [Int64](), Int64(0))
        for _ in 0..<2_000 {
            now += Int64.random(in: 0...15, using: &random)
            if let act = admitted.randomElement(using: &random), Int.random(in: 0..<10, using: &random) == 0 {
                log.takeBack(act)
                if let index = admitted.lastIndex(of: act) { admitted.remove(at: index) }
            }
            let recent = admitted.filter { $0 > now - rate.nanoseconds }
            switch log.admit(rate, now: now) {
            case .allowed(let remaining, let nextIn):
                #expect(recent.count < rate.count)
                admitted.append(now)
                #expect(remaining == rate.count - recent.count - 1)
                #expect(nextIn == (recent.first ?? now) + rate.nanoseconds - now)
            case .refused(let retryIn):
                #expect(recent.count == rate.count)
                #expect(retryIn == (recent.first ?? now) + rate.nanoseconds - now)
            }
            #expect(log.count <= rate.count)
        }
    }

    @Test func `holders do not share a budget and one forgets nothing of the other`() throws {
        let budgets = Budgets(rates: [.posts: Rate(1, per: .seconds(1))], now: { 0 })
        try budgets.spend(.posts, of: .user(1))
        try budgets.spend(.posts, of: .user(2))
        try budgets.spend(.posts, of: .address(.four(1)))
        for holder in [BudgetHolder.user(1), .user(2), .address(.four(1))] {
            #expect(throws: Problem.self) { try budgets.spend(.posts, of: holder) }
        }
        #expect(try budgets.spend(.comments, of: .user(1)) == nil)
    }

    @Test func `nodes that share a rate admit it together`() throws {
        let nodes = Mutex(1)
        let budgets = (0..<3).map { _ in
            Budgets(rates: [.posts: Rate(7, per: .seconds(1))], nodes: { nodes.withLock { $0 } }, now: { 0 })
        }
        func admitted(_ holder: BudgetHolder, by count: Int) -> Int {
            budgets.prefix(count).reduce(0) { sum, budgets in
                sum + (0..<10).count { _ in (try? budgets.spend(.posts, of: holder)) != nil }
            }
        }
        #expect(admitted(.user(1), by: 1) == 7)
        nodes.withLock { $0 = 3 }
        #expect(admitted(.user(2), by: 3) == 6)
        #expect(try budgets[0].spend(.posts, of: .user(3))?.rate.count == 2)
        // A user who has had more than the new share waits for the window.
        #expect(admitted(.user(1), by: 1) == 0)
        nodes.withLock { $0 = 100 }
        #expect(admitted(.user(4), by: 1) == 1, "a rate is never nothing")
    }

    @Test func `what is taken back or cleared does not count`() throws {
        let budgets = Budgets(rates: [.wrongPasswords: Rate(2, per: .seconds(300))], now: { 0 })
        let first = try budgets.spend(.wrongPasswords, of: .user(1))
        try budgets.spend(.wrongPasswords, of: .user(1))
        #expect(throws: Problem.self) { try budgets.spend(.wrongPasswords, of: .user(1)) }
        budgets.takeBack(first)
        try budgets.spend(.wrongPasswords, of: .user(1))
        #expect(throws: Problem.self) { try budgets.spend(.wrongPasswords, of: .user(1)) }
        budgets.clear(.wrongPasswords, of: .user(1))
        try budgets.spend(.wrongPasswords, of: .user(1))
    }

    @Test func `memory is bounded however many holders come`() {
        let ledger = RateLedger(capacity: 1_000)
        let rate = Rate(50, per: .seconds(60))
        for holder in 0..<10_000 as Range<Int64> {
            for act in 0...holder % 60 { _ = ledger.admit(.user(holder), rate, now: 60 * holder + act) }
            #expect(ledger.weight <= 2_000)
        }
    }

    @Test func `acts that come together take as much memory as one`() {
        let ledger = RateLedger(capacity: 1_000)
        let rate = Rate(100, per: .seconds(60))
        for holder in 0..<20 as Range<Int64> {
            #expect(ledger.admit(.user(holder), rate, acts: 100, now: 0) == .allowed(remaining: 0, nextIn: 60 * second))
        }
        #expect(ledger.admit(.user(0), rate, now: second) == .refused(retryIn: 59 * second))
        ledger.takeBack(.user(0), 0)
        #expect(ledger.admit(.user(0), rate, acts: 2, now: second) == .refused(retryIn: 59 * second))
        #expect(ledger.admit(.user(0), rate, now: second) == .allowed(remaining: 0, nextIn: 59 * second))
        #expect(ledger.admit(.user(0), rate, acts: 100, now: 2 * second) == .refused(retryIn: 59 * second))
    }

    @Test func `a refusal says when to come back and what the limit is`() throws {
        let now = Mutex<Int64>(0)
        let budgets = Budgets(rates: [.logIns: Rate(300, per: .seconds(60))], now: { now.withLock { $0 } })
        let receipt = try budgets.spend(.logIns, of: .address(.local))
        let left = receipt.map { HTTPFields(.rate($0)) }
        #expect(left?[.rateLimitPolicy] == "\"logIns\";q=300;w=60")
        #expect(left?[.rateLimit] == "\"logIns\";r=299;t=60")
        for _ in 1..<300 { try budgets.spend(.logIns, of: .address(.local)) }
        now.withLock { $0 = 47 * second + 1 }
        let problem = #expect(throws: Problem.self) { try budgets.spend(.logIns, of: .address(.local)) }
        #expect(problem?.code == .rateLimited)
        #expect(problem?.headers[.retryAfter] == "13")
        #expect(problem?.headers[.rateLimitPolicy] == "\"logIns\";q=300;w=60")
        #expect(problem?.headers[.rateLimit] == "\"logIns\";r=0;t=13")
    }

    @Test func `the middleware answers 429 with Retry-After`() async throws {
        let router = Router(context: GraphRequestContext.self)
        let metrics = RequestMetrics(factory: PrometheusRegistry())
        router.add(middleware: RequestObserver(routes: RouteTable(), metrics: metrics))
        router.add(
            middleware: RateLimit(budgets: Budgets(rates: [.requests: Rate(1, per: .seconds(1))], now: { 0 })))
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
