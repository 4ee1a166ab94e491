/// The headers of W3C Trace Context, level 1: `traceparent` and `tracestate`.
package enum TraceParent {
    /// Largest number of bytes of a `tracestate` that is kept.
    package static let stateBytes = 512
    /// Largest number of bytes of a `traceparent` of a later version, which may have further fields.
    static let parentBytes = 256
    private static let length = 55

    /// Returns the caller's span; nil if there is none, or if the header is malformed. A malformed or long `tracestate`
    /// is dropped, the span is not.
    package static func read(_ parent: String?, state: String? = nil) -> SpanIdentity? {
        guard let parent, parent.utf8.count <= parentBytes else { return nil }
        let bytes = Array(parent.utf8)
        let dash = UInt8(ascii: "-")
        guard bytes.count >= length, bytes[2] == dash, bytes[35] == dash, bytes[52] == dash,
            let version = number(bytes[0..<2]), version != 0xFF,
            // Version 0 ends here; a later one may go on after a dash.
            bytes.count == length || version != 0 && bytes[length] == dash,
            let high = number(bytes[3..<19]), let low = number(bytes[19..<35]), high != 0 || low != 0,
            let span = number(bytes[36..<52]), span != 0, let flags = number(bytes[53..<55])
        else { return nil }
        return SpanIdentity(
            trace: TraceID(high: high, low: low), span: span, isSampled: flags & 1 == 1, state: kept(state))
    }

    /// Returns the `traceparent` for a request that `span` makes.
    package static func write(_ span: SpanIdentity) -> String {
        "00-\(span.trace)-\(span.span.hexadecimal)-\(span.isSampled ? "01" : "00")"
    }

    /// Returns the number of hexadecimal digits in lower case, the only ones that the header may have.
    private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
        var number: UInt64 = 0
        for digit in digits {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt64(digit - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): number = number << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return number
    }

    private static func kept(_ state: String?) -> String {
        guard let state, state.utf8.count <= stateBytes, state.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else { return "" }
        return state
    }
}
