import TestSupport
import Testing

@testable import GraphServices
@testable import graphd

@Suite(.timeLimit(.unit))
struct ConnectionLimiterTests {
    private static func address(_ text: String) -> IPAddress? { IPAddress(text) }

    @Test func `one address does not take the room of others`() {
        let limiter = ConnectionLimiter(limit: 10, perAddress: 4, refusals: 2)
        let (greedy, modest) = (Self.address("192.0.2.1"), Self.address("192.0.2.2"))
        for _ in 0..<4 { #expect(limiter.enter(greedy) == .admitted) }
        for _ in 0..<100 { #expect(limiter.enter(greedy) == .refused(.address)) }
        for _ in 0..<4 { #expect(limiter.enter(modest) == .admitted) }
        for number in 3...4 { #expect(limiter.enter(Self.address("192.0.2.\(number)")) == .admitted) }
        #expect(limiter.enter(Self.address("192.0.2.5")) == .refused(.full))
        limiter.leave(greedy)
        #expect(limiter.enter(Self.address("192.0.2.5")) == .admitted)
        #expect(limiter.open == 10)
    }

    @Test func `the addresses of one subscriber are one`() {
        let limiter = ConnectionLimiter(limit: 10, perAddress: 2, refusals: 2)
        #expect(limiter.enter(Self.address("2001:db8:0:1::1")) == .admitted)
        #expect(limiter.enter(Self.address("2001:db8:0:1:ffff::2")) == .admitted)
        #expect(limiter.enter(Self.address("2001:db8:0:1:1:2:3:4")) == .refused(.address))
        #expect(limiter.enter(Self.address("2001:db8:0:2::1")) == .admitted)
        #expect(limiter.enter(Self.address("192.0.2.1")) == .admitted)
        #expect(limiter.enter(Self.address("::ffff:192.0.2.1")) == .admitted)
        #expect(limiter.enter(Self.address("::ffff:192.0.2.1")) == .refused(.address))
    }

    @Test func `who speaks for many counts in all only`() throws {
        let proxy = try #require(Self.address("192.0.2.1"))
        let limiter = ConnectionLimiter(limit: 10, perAddress: 1, refusals: 2) { $0 == proxy }
        for _ in 0..<10 { #expect(limiter.enter(proxy) == .admitted) }
        #expect(limiter.enter(proxy) == .refused(.full))
    }

    @Test func `only so many are told at once`() {
        let limiter = ConnectionLimiter(limit: 1, perAddress: 1, refusals: 2)
        #expect(limiter.beginRefusal() && limiter.beginRefusal() && !limiter.beginRefusal())
        limiter.endRefusal()
        #expect(limiter.beginRefusal())
    }

    @Test func `what has left leaves nothing behind`() {
        let limiter = ConnectionLimiter(limit: 3, perAddress: 2, refusals: 1)
        var generator = SplitMix64(seed: 7)
        var inside: [IPAddress?] = []
        for _ in 0..<10_000 {
            let address = Self.address("192.0.2.\(Int.random(in: 1...5, using: &generator))")
            if Bool.random(using: &generator), !inside.isEmpty {
                limiter.leave(inside.remove(at: Int.random(in: inside.indices, using: &generator)))
            } else if limiter.enter(address) == .admitted {
                inside.append(address)
            }
            #expect(limiter.open == inside.count && inside.count <= 3)
            for one in inside { #expect(inside.count { $0 == one } <= 2) }
        }
    }
}
