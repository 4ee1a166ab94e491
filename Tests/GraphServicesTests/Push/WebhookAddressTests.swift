import Foundation
import Synchronization
import TestSupport
import Testing

@testable import GraphServices

/// Addresses that webhooks may use.
@Suite(.timeLimit(.unit))
struct WebhookAddressTests {
    @Test(arguments: [
        "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1",
        "127.255.255.255", "169.254.0.1", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1",
        "192.88.99.1", "192.168.1.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1",
        "239.255.255.250", "240.0.0.1", "255.255.255.255", "::", "::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8",
        "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1", "100::1", "fc00::1", "fd12:3456::1", "fe80::1", "fec0::1",
        "ff02::1", "2001::1", "2001:db8::1", "2002:7f00:1::", "3fff::1", "4000::1", "fd00:ec2::254",
    ])
    func `addresses that are not of the public internet are known`(text: String) throws {
        #expect(try !#require(IPAddress(text)).isPublic)
    }

    @Test(arguments: [
        "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
        "128.0.0.1", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0",
        "198.17.255.255", "198.20.0.0", "223.255.255.255", "2606:4700:4700::1111", "2a00:1450::1",
        "2001:4860:4860::8888",
    ])
    func `public addresses are public`(text: String) throws {
        #expect(try #require(IPAddress(text)).isPublic)
    }

    @Test(arguments: ["127.1", "0x7f000001", "2130706433", "1.2.3", "1.2.3.4.5", "fe80::1%eth0", "[::1]", "", "a"])
    func `what only a resolver takes for an address is none`(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(arguments: [
        ("https://h.example", "https://h.example/"), ("HTTP://H.Example:8080/a?b=c#d", "http://h.example:8080/a?b=c"),
        ("https://h.example?q", "https://h.example/?q"),
        ("https://[2606:4700::1]:444/x", "https://[2606:4700::1]:444/x"),
        ("https://1.1.1.1/", "https://1.1.1.1/"), ("https://xn--bcher-kva.example/", "https://xn--bcher-kva.example/"),
    ])
    func `a URL is put together from what was judged`(text: String, expected: String) {
        #expect(WebhookURL(text)?.text == expected)
    }

    @Test(arguments: [
        "ftp://h.example/", "file:///etc/passwd", "gopher://h.example/", "//h.example/", "h.example", "https://",
        "https://user@h.example/", "https://user:word@h.example/", "https://a@b@h.example/",
        "https://h.example@1.1.1.1/",
        "https://h.example:0/", "https://h.example:99999/", "https://h.example:a/", "https://bücher.example/",
        "https://h example/", "https://h_x.example/", "https://-h.example/", "https://h..example/", "https://.example/",
        "https://h.example\\@1.1.1.1/", "https://[fe80::1%25eth0]/", "https://[127.0.0.1]/", "https://h.example%2e/",
        "https://①②⑦.⓪.⓪.①/", "https://h.example./",
    ])
    func `what parsers disagree on is no URL of a webhook`(text: String) {
        #expect(WebhookURL(text) == nil)
    }

    private static func guarding(_ addresses: [String], allowsPrivate: Bool = false) -> AddressGuard {
        AddressGuard(allowsPrivate: allowsPrivate, resolve: { _, _ in addresses.compactMap { IPAddress($0) } })
    }

    @Test func `every address of a name is judged`() async throws {
        let url = try #require(WebhookURL("https://h.example/"))
        #expect(try await Self.guarding(["1.1.1.1"]).address(of: url, for: .server).description == "1.1.1.1")
        #expect(
            try await Self.guarding(["2606:4700::1", "8.8.8.8"]).address(of: url, for: .server).description == "8.8.8.8"
        )
        for private_ in [["127.0.0.1"], ["1.1.1.1", "10.0.0.1"], ["8.8.8.8", "::1"]] {
            await #expect(throws: AddressGuard.Refusal.notPublic) {
                _ = try await Self.guarding(private_).address(of: url, for: .server)
            }
        }
        await #expect(throws: AddressGuard.Refusal.notFound) {
            _ = try await Self.guarding([]).address(of: url, for: .server)
        }
        #expect(
            try await Self.guarding(["127.0.0.1"], allowsPrivate: true).address(of: url, for: .server).bytes[0] == 127)
        let literal = try #require(WebhookURL("https://[::1]/"))
        await #expect(throws: AddressGuard.Refusal.notPublic) {
            _ = try await Self.guarding(["1.1.1.1"]).address(of: literal, for: .server)
        }
    }

    @Test(arguments: ["localhost", "127.1", "0x7f000001", "2130706433", "017700000001"])
    func `the system's resolver leads nowhere else`(host: String) async throws {
        let addresses = AddressGuard(allowsPrivate: false, resolve: HostResolver().addresses(of:for:))
        let url = try #require(WebhookURL("http://\(host)/"))
        await #expect(throws: AddressGuard.Refusal.notPublic) { _ = try await addresses.address(of: url, for: .server) }
    }

    @Test func `names of one user without an answer keep none of another waiting`() async throws {
        let gate = Gate()
        let resolver = HostResolver { host in
            if host != "other.example" { gate.wait() }
            return [IPAddress("1.1.1.1")].compactMap(\.self)
        }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            defer { gate.open() }
            for number in 0..<70 {
                group.addTask {
                    do {
                        return try await resolver.addresses(of: "h\(number).example", for: .user(1)).isEmpty
                    } catch let problem as Problem where problem.code == .busy {
                        return true
                    }
                }
            }
            while resolver.work.waitingCount < HostResolver.namesWaiting { await Task.yield() }
            let addresses = try await resolver.addresses(of: "other.example", for: .user(2))
            #expect(addresses.map(\.description) == ["1.1.1.1"])
            // Only names for which there is no room end before the gate opens.
            for _ in 0..<70 - HostResolver.namesWaiting - HostResolver.threadsPerHolder {
                let isRefused = try await group.next()
                #expect(isRefused == true)
            }
            gate.open()
            for try await isRefused in group { #expect(!isRefused) }
        }
    }
}
