import TestSupport
import Testing

@testable import TracingSpans

@Suite(.timeLimit(.unit))
struct TraceParentTests {
    static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    static let span = "00f067aa0ba902b7"

    @Test func `the example of the specification is read and written`() throws {
        let text = "00-\(Self.trace)-\(Self.span)-01"
        let identity = try #require(TraceParent.read(text, state: "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE"))
        #expect(identity.trace.description == Self.trace)
        #expect(identity.span == 0x00f0_67aa_0ba9_02b7)
        #expect(identity.isSampled)
        #expect(identity.state == "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE")
        #expect(TraceParent.write(identity) == text)
        #expect(TraceParent.read("00-\(Self.trace)-\(Self.span)-00")?.isSampled == false)
        // Only the lowest flag has a meaning; a later version may have further fields.
        #expect(TraceParent.read("00-\(Self.trace)-\(Self.span)-ff")?.isSampled == true)
        #expect(TraceParent.read("cc-\(Self.trace)-\(Self.span)-01-what-the-future") != nil)
    }

    @Test(arguments: [
        "", "00", "00-\(trace)-\(span)", "00-\(trace)-\(span)-1", "00-\(trace)-\(span)-01-", "00-\(trace)-\(span)-01-x",
        "cc-\(trace)-\(span)-01.x", "ff-\(trace)-\(span)-01", "0x-\(trace)-\(span)-01",
        "00-00000000000000000000000000000000-\(span)-01", "00-\(trace)-0000000000000000-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-\(span)-01", "00-\(trace)-00f067aa0ba902bg-01", "00_\(trace)_\(span)_01",
        "00-\(trace)-\(span)-0", " 00-\(trace)-\(span)-01", "00-\(trace)-\(span)-01, 00-\(trace)-\(span)-01",
        "00-\(trace)-\(span)-\u{661}\u{660}", "cc-\(trace)-\(span)-01-" + String(repeating: "a", count: 300),
        String(repeating: "0", count: 100_000),
    ])
    func `a malformed or hostile header is no parent`(_ text: String) {
        #expect(TraceParent.read(text) == nil)
    }

    @Test(arguments: [
        String(repeating: "a", count: 513), "a=1\r\nSet-Cookie: b", "a=\u{E4}", "a=1\u{0}",
    ])
    func `a long or unprintable tracestate is dropped and the parent stays`(_ state: String) {
        let identity = TraceParent.read("00-\(Self.trace)-\(Self.span)-01", state: state)
        #expect(identity?.state == "")
    }
}
