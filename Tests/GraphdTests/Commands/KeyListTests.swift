import ServiceTestSupport
import TestSupport
import Testing

@testable import CommandSupport
@testable import GraphServices
@testable import Sessions
@testable import StrictJSON
@testable import graphd

@Suite(.timeLimit(.unit))
struct KeyListTests {
    @Test func `the list names keys and shows none`() throws {
        var ring = TokenKeyRing(signing: .random())
        ring.retired = [
            .init(key: .random(), retiredAt: 1_000, verifiesUntil: 9_000),
            .init(key: .random(), retiredAt: 1, verifiesUntil: 2_000),
        ]
        let lines = try KeyListCommand.lines(ring, now: 2_000, json: true, on: .plain)
        let states = try lines.map { try JSONReader.read(Array($0.utf8)) }
        #expect(states.map { $0["state"]?.text } == ["signs", "verifies", "expired"])
        #expect(states.map { $0["keyId"]?.text } == [ring.signing.id] + ring.retired.map(\.key.id))
        #expect(states[1]["verifiesUntil"]?.text == "1970-01-01T00:00:09.000Z")
        let table = try KeyListCommand.lines(ring, now: 2_000, json: false, on: .plain)
        #expect(table.count == 3 && table[0].hasPrefix(ring.signing.id + "\tsigns"))
        for key in [ring.signing] + ring.retired.map(\.key) {
            #expect(!(lines + table).joined().contains(Base64URL.encode(key.bytes)))
        }
    }
}
