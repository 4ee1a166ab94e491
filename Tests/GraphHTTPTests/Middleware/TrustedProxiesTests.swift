import HTTPTypes
import TestSupport
import Testing

@testable import GraphHTTP
@testable import GraphServices

@Suite(.timeLimit(.unit))
struct TrustedProxiesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var proxies = "192.0.2.0/24,2001:db8::/32"
        var peer = "192.0.2.1"
        var forwarded: [String] = []
        var others: [String] = []
        let origin: String
        var testDescription: String { "\(peer) \(forwarded) \(others)" }
    }

    private static let cases: [Case] = [
        // Headers of an untrusted peer are ignored.
        Case(proxies: "", others: ["198.51.100.7"], origin: "192.0.2.1"),
        Case(peer: "198.51.100.1", forwarded: ["for=203.0.113.9"], others: ["203.0.113.9"], origin: "198.51.100.1"),
        Case(peer: "127.0.0.1", others: ["203.0.113.9"], origin: "127.0.0.1"),
        Case(origin: "192.0.2.1"),
        // The origin is the last address that is not a trusted proxy's.
        Case(others: ["198.51.100.7"], origin: "198.51.100.7"),
        Case(others: ["203.0.113.9, 198.51.100.7"], origin: "198.51.100.7"),
        Case(others: ["203.0.113.9, 198.51.100.7, 192.0.2.5,2001:db8::5"], origin: "198.51.100.7"),
        Case(others: ["203.0.113.9", "198.51.100.7", "192.0.2.5"], origin: "198.51.100.7"),
        Case(others: ["192.0.2.9, 192.0.2.5"], origin: "192.0.2.9"),
        Case(others: ["198.51.100.7:4711"], origin: "198.51.100.7"),
        Case(others: ["[2001:db9::7]:4711"], origin: "2001:db9:0:0:0:0:0:7"),
        Case(others: ["2001:db9::7"], origin: "2001:db9:0:0:0:0:0:7"),
        Case(others: ["::ffff:198.51.100.7"], origin: "198.51.100.7"),
        Case(others: ["198.51.100.7, ::ffff:192.0.2.5"], origin: "198.51.100.7"),
        Case(peer: "::ffff:192.0.2.1", others: ["198.51.100.7"], origin: "198.51.100.7"),
        Case(peer: "2001:db8:1::1", forwarded: ["for=198.51.100.7"], origin: "198.51.100.7"),
        Case(forwarded: ["for=198.51.100.7"], origin: "198.51.100.7"),
        Case(forwarded: ["for=203.0.113.9, FOR=\"198.51.100.7:80\";proto=https;by=_x"], origin: "198.51.100.7"),
        Case(forwarded: ["by=192.0.2.1; for=\"[2001:db9::7]\""], origin: "2001:db9:0:0:0:0:0:7"),
        Case(
            forwarded: ["for=198.51.100.7, for=192.0.2.5"], others: ["198.51.100.7, 192.0.2.5"],
            origin: "198.51.100.7"),
        // Earlier entries by the client are ignored, whatever they contain.
        Case(others: ["x, 999.1.1.1,, 198.51.100.7"], origin: "198.51.100.7"),
        Case(forwarded: ["for=\", for=198.51.100.7"], origin: "198.51.100.7"),
        Case(forwarded: ["for=\"203.0.113.9", "for=198.51.100.7"], origin: "198.51.100.7"),
        // Malformed, hidden or contradictory entries give the peer.
        Case(forwarded: ["for=203.0.113.9"], others: ["198.51.100.7"], origin: "192.0.2.1"),
        Case(forwarded: ["garbage"], others: ["198.51.100.7"], origin: "192.0.2.1"),
        Case(others: [""], origin: "192.0.2.1"),
        Case(others: ["198.51.100.7,"], origin: "192.0.2.1"),
        Case(others: ["unknown"], origin: "192.0.2.1"),
        Case(others: ["198.51.100.7:"], origin: "192.0.2.1"),
        Case(others: ["198.51.100.7:123456"], origin: "192.0.2.1"),
        Case(others: ["[198.51.100.7]"], origin: "192.0.2.1"),
        Case(others: ["[2001:db9::7"], origin: "192.0.2.1"),
        Case(others: ["0306.51.100.7"], origin: "192.0.2.1"),
        Case(others: ["fe80::1%eth0"], origin: "192.0.2.1"),
        Case(forwarded: ["for=unknown"], origin: "192.0.2.1"),
        Case(forwarded: ["for=_hidden"], origin: "192.0.2.1"),
        Case(forwarded: ["for=2001:db9::7"], origin: "192.0.2.1"),
        Case(forwarded: ["proto=https"], origin: "192.0.2.1"),
        Case(forwarded: ["for=198.51.100.7;for=198.51.100.8"], origin: "192.0.2.1"),
        Case(forwarded: ["for=\"198.51.100.7"], origin: "192.0.2.1"),
        Case(forwarded: ["for"], origin: "192.0.2.1"),
    ]

    @Test(arguments: cases)
    func `the origin is the last address that no trusted proxy has`(_ test: Case) throws {
        let proxies = test.proxies.isEmpty ? .none : try #require(TrustedProxies(test.proxies))
        var headers = HTTPFields()
        for value in test.forwarded { headers.append(HTTPField(name: .forwarded, value: value)) }
        for value in test.others { headers.append(HTTPField(name: .xForwardedFor, value: value)) }
        #expect(proxies.origin(of: IPAddress(test.peer), headers)?.description == test.origin)
    }

    @Test func `a long header is read from its end only and not far`() throws {
        let proxies = try #require(TrustedProxies("192.0.2.0/24"))
        let peer = IPAddress("192.0.2.1")
        func origin(_ value: String) -> String? {
            proxies.origin(of: peer, [.xForwardedFor: value])?.description
        }
        let junk = String(repeating: "x", count: 1_000_000)
        #expect(origin(junk + ", 198.51.100.7") == "198.51.100.7")
        #expect(origin(String(repeating: ",", count: 1_000_000) + "198.51.100.7") == "198.51.100.7")
        #expect(origin(junk) == "192.0.2.1")
        #expect(origin(junk + String(repeating: " ", count: 2_000) + "198.51.100.7") == "192.0.2.1")
        let chain = repeatElement("192.0.2.7", count: TrustedProxies.hops - 1).joined(separator: ",")
        #expect(origin("198.51.100.7," + chain) == "198.51.100.7")
        #expect(origin("198.51.100.7,192.0.2.7," + chain) == "192.0.2.1")
    }

    @Test(arguments: [
        "", "x", "192.0.2.0/33", "192.0.2.1/24", "192.0.2.0/", "192.0.2.0/-1", "1.2.3.4,", "::1/129", "10/8",
    ])
    func `malformed blocks are refused`(_ text: String) {
        #expect(TrustedProxies(text) == nil)
    }

    @Test func `a block holds its addresses and no others`() throws {
        let blocks = try #require(TrustedProxies("10.0.0.0/8, 192.0.2.128/25,203.0.113.4,2001:db8:8000::/33"))
        for inside in ["10.255.0.1", "192.0.2.200", "203.0.113.4", "2001:db8:ffff::1"] {
            #expect(blocks.contains(try #require(IPAddress(inside))))
        }
        for outside in ["11.0.0.1", "192.0.2.127", "203.0.113.5", "2001:db8:7fff::1", "::ffff:10.0.0.1"] {
            #expect(!blocks.contains(try #require(IPAddress(outside))))
        }
    }

    @Test func `addresses of one subscriber are one holder`() {
        func block(_ text: String) -> AddressBlock { AddressBlock(IPAddress(text)) }
        #expect(block("192.0.2.1") != block("192.0.2.2"))
        #expect(block("::ffff:192.0.2.1") == block("192.0.2.1"))
        #expect(block("2001:db8:1:2::1") == block("2001:db8:1:2:ffff::9"))
        #expect(block("2001:db8:1:2::1") != block("2001:db8:1:3::1"))
        #expect(block("2001:db8:1:2::1").description == "2001:db8:1:2::/64")
        #expect(block("192.0.2.1").description == "192.0.2.1")
        #expect(AddressBlock(nil) == .local)
    }
}
