import TestSupport
import Testing

@testable import GraphServices
@testable import graphd

@Suite(.timeLimit(.unit))
struct ConnectionRationTests {
    private static func address(_ text: String) -> IPAddress? { IPAddress(text) }

    @Test func `one address does not take the room of others`() {
        let ration = ConnectionRation(limit: 10, perAddress: 4, refusals: 2)
        let (greedy, modest) = (Self.address("192.0.2.1"), Self.address("192.0.2.2"))
        for _ in 0..<4 { #expect(ration.enter(greedy) == .admitted) }
        for _ in 0..<100 { #expect(ration.enter(greedy) == .refused(.address)) }
        for _ in 0..<4 { #expect(ration.enter(modest) == .admitted) }
        for number in 3...4 { #expect(ration.enter(Self.address("192.0.2.\(number)")) == .admitted) }
        #expect(ration.enter(Self.address("192.0.2.5")) == .refused(.full))
        ration.leave(greedy)
        #expect(ration.enter(Self.address("192.0.2.5")) == .admitted)
        #expect(ration.open == 10)
    }

    @Test func `the addresses of one subscriber are one`() {
        let ration = ConnectionRation(limit: 10, perAddress: 2, refusals: 2)
        #expect(ration.enter(Self.address("2001:db8:0:1::1")) == .admitted)
        #expect(ration.enter(Self.address("2001:db8:0:1:ffff::2")) == .admitted)
        #expect(ration.enter(Self.address("2001:db8:0:1:1:2:3:4")) == .refused(.address))
        #expect(ration.enter(Self.address("2001:db8:0:2::1")) == .admitted)
        #expect(ration.enter(Self.address("192.0.2.1")) == .admitted)
        #expect(ration.enter(Self.address("::ffff:192.0.2.1")) == .admitted)
        #expect(ration.enter(Self.address("::ffff:192.0.2.1")) == .refused(.address))
    }

    @Test func `who speaks for many counts in all only`() throws {
        let proxy = try #require(Self.address("192.0.2.1"))
        let ration = ConnectionRation(limit: 10, perAddress: 1, refusals: 2) { $0 == proxy }
        for _ in 0..<10 { #expect(ration.enter(proxy) == .admitted) }
        #expect(ration.enter(proxy) == .refused(.full))
    }

    @Test func `only so many are told at once`() {
        let ration = ConnectionRation(limit: 1, perAddress: 1, refusals: 2)
        #expect(ration.beginRefusal() && ration.beginRefusal() && !ration.beginRefusal())
        ration.endRefusal()
        #expect(ration.beginRefusal())
    }

    @Test func `what has left leaves nothing behind`() {
        let ration = ConnectionRation(limit: 3, perAddress: 2, refusals: 1)
        var generator = SplitMix64(seed: 7)
        var inside: [IPAddress?] = []
        for _ in 0..<10_000 {
            let address = Self.address("192.0.2.\(Int.random(in: 1...5, using: &generator))")
            if Bool.random(using: &generator), !inside.isEmpty {
                ration.leave(inside.remove(at: Int.random(in: inside.indices, using: &generator)))
            } else if ration.enter(address) == .admitted {
                inside.append(address)
            }
            #expect(ration.open == inside.count && inside.count <= 3)
            for one in inside { #expect(inside.count { $0 == one } <= 2) }
        }
    }
}
