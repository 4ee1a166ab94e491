import Synchronization
import Tracing

/// A span in progress. It ends once; what comes later is ignored. Its parts are bounded, and an error leaves only the
/// name of its type, because its text may hold what a user wrote.
package final class RecordedSpan: Tracing.Span {
    static let maxAttributes = 32
    static let maxEvents = 16
    static let maxLinks = 32

    package let context: InstrumentationContext
    package let identity: SpanIdentity
    /// The destination of the finished span; nil if the trace is not recorded.
    private let buffer: SpanBuffer?
    private let state: Mutex<State>

    private struct State {
        var span: FinishedSpan
        var attributes = SpanAttributes()
        var isEnded = false
    }

    init(
        _ name: String, _ identity: SpanIdentity, parent: UInt64?, kind: SpanKind, context: InstrumentationContext,
        start: UInt64, buffer: SpanBuffer?
    ) {
        (self.context, self.identity, self.buffer) = (context, identity, buffer)
        state = Mutex(
            State(span: FinishedSpan(identity: identity, parent: parent, name: name, kind: kind, start: start)))
    }

    package var isRecording: Bool { buffer != nil && !state.withLock(\.isEnded) }

    package var operationName: String {
        get { state.withLock(\.span.name) }
        set { state.withLock { $0.span.name = newValue } }
    }

    package var attributes: SpanAttributes {
        get { state.withLock(\.attributes) }
        set {
            guard buffer != nil else { return }
            state.withLock { $0.attributes = newValue }
        }
    }

    package func setStatus(_ status: SpanStatus) {
        state.withLock { $0.span.isFailed = status.code == .error }
    }

    package func addEvent(_ event: SpanEvent) {
        guard buffer != nil else { return }
        state.withLock { state in
            guard state.span.events.count < Self.maxEvents else { return }
            state.span.events.append(.init(name: event.name, time: event.nanosecondsSinceEpoch))
        }
    }

    package func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {
        guard buffer != nil else { return }
        let name = String(describing: type(of: error))
        state.withLock { $0.attributes["error.type"] = name }
    }

    package func addLink(_ link: SpanLink) {
        guard buffer != nil, let other = link.context.span else { return }
        state.withLock { state in
            if state.span.links.count < Self.maxLinks { state.span.links.append(other) }
        }
    }

    package func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        guard let buffer else { return }
        let time = instant().nanosecondsSinceEpoch
        let finished: FinishedSpan? = state.withLock { state in
            if state.isEnded { return nil }
            state.isEnded = true
            state.span.end = max(time, state.span.start)
            state.attributes.forEach { name, value in
                if state.span.attributes.count < Self.maxAttributes {
                    state.span.attributes.append((name, FinishedSpan.Value(value)))
                }
            }
            return state.span
        }
        if let finished { buffer.add(finished) }
    }
}

/// A span that has ended.
package struct FinishedSpan: Sendable {
    /// Largest number of bytes of an attribute's text.
    static let textBytes = 256

    package enum Value: Sendable, Equatable {
        case text(String)
        case integer(Int64)
        case double(Double)
        case flag(Bool)

        init(_ attribute: SpanAttribute) {
            switch attribute {
            case .int32(let value): self = .integer(Int64(value))
            case .int64(let value): self = .integer(value)
            case .double(let value): self = .double(value)
            case .bool(let value): self = .flag(value)
            case .string(let value): self = .text(Self.bounded(value))
            case .stringConvertible(let value): self = .text(Self.bounded("\(value)"))
            default: self = .text("")
            }
        }

        private static func bounded(_ text: String) -> String {
            text.utf8.count <= textBytes ? text : String(decoding: text.utf8.prefix(textBytes), as: UTF8.self)
        }
    }

    package struct Event: Sendable {
        package let name: String
        /// Nanoseconds since 1970.
        package let time: UInt64
    }

    package let identity: SpanIdentity
    /// The span that it is part of; nil for the first of a trace.
    package let parent: UInt64?
    package internal(set) var name: String
    package let kind: SpanKind
    /// Nanoseconds since 1970.
    package let start: UInt64
    package internal(set) var end: UInt64 = 0
    package internal(set) var isFailed = false
    package internal(set) var attributes: [(name: String, value: Value)] = []
    package internal(set) var events: [Event] = []
    package internal(set) var links: [SpanIdentity] = []
}
