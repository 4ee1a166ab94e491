/// The identity of a span: the part of it that its children, in this process or another, must know.
package struct SpanIdentity: Sendable, Hashable {
    package let trace: TraceID
    package let span: UInt64
    /// True if the spans of the trace are recorded.
    package let isSampled: Bool
    /// The `tracestate` of the caller, as it came; empty if there was none.
    package let state: String

    package init(trace: TraceID, span: UInt64, isSampled: Bool, state: String = "") {
        (self.trace, self.span, self.isSampled, self.state) = (trace, span, isSampled, state)
    }

    /// Returns an identity of a new span in the same trace.
    func child() -> SpanIdentity {
        SpanIdentity(trace: trace, span: .random(in: 1 ... .max), isSampled: isSampled, state: state)
    }

    /// Returns the identity of the first span of a new trace.
    static func first(isSampled: Bool) -> SpanIdentity {
        SpanIdentity(trace: .random(), span: .random(in: 1 ... .max), isSampled: isSampled)
    }
}

/// The 16 bytes that name a trace.
package struct TraceID: Sendable, Hashable, CustomStringConvertible {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    static func random() -> TraceID { TraceID(high: .random(in: 0 ... .max), low: .random(in: 1 ... .max)) }

    /// 32 hexadecimal digits.
    package var description: String { high.hexadecimal + low.hexadecimal }
}

extension UInt64 {
    /// 16 hexadecimal digits in lower case.
    package var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
