import Foundation

/// The events of a stream, over as many connections as it takes.
///
/// When a connection ends, the next one continues after the last event that had an id, so that none is missed and none
/// comes twice. A stream that has begun waits for a server that restarts behind a proxy, or cannot serve for a moment.
/// The loop ends when its task is cancelled, with an error that a new connection would not change, or, for a stream of
/// one post, when the post is gone.
public struct EventStream: AsyncSequence, Sendable {
    public typealias Element = ServerEvent

    let exchange: Exchange
    let call: Call
    private var opened: @Sendable () -> Void = {}

    init(exchange: Exchange, call: Call) {
        self.exchange = exchange
        self.call = call
    }

    /// Returns the same stream, which calls `action` whenever a connection is open: the stream has all that happens
    /// from then on.
    public func onOpen(_ action: @escaping @Sendable () -> Void) -> EventStream {
        var copy = self
        copy.opened = action
        return copy
    }

    public func makeAsyncIterator() -> Iterator { Iterator(exchange: exchange, call: call, opened: opened) }

    public struct Iterator: AsyncIteratorProtocol {
        private let exchange: Exchange
        private let call: Call
        private let opened: @Sendable () -> Void
        private var connection: Connection?
        private var lastId: String?
        private var interruptions = 0
        private var isInterrupted = false
        /// The time that the stream asks for between connections.
        private var retry: Duration?
        /// The time that the last refusal asked for.
        private var retryAfter = Duration.zero

        /// What is read of one connection.
        private struct Connection {
            var body: BodyStream.Iterator
            var parser: ServerEventParser
            var events: ArraySlice<ServerEvent> = []
        }

        init(exchange: Exchange, call: Call, opened: @escaping @Sendable () -> Void) {
            self.exchange = exchange
            self.call = call
            self.opened = opened
            lastId = call.lastEventId
        }

        /// - Throws: `APIError`, if the stream is refused for good, or before it has begun; `ClientError`, such as
        ///   `streamEnded` and `sessionEnded`; `CancellationError`.
        public mutating func next() async throws -> ServerEvent? {
            while true {
                try Task.checkCancellation()
                if let event = try await nextOfConnection() {
                    if event.name != "end" { return delivered(event) }
                    if try await endsForGood(event) { return nil }
                }
                try await reconnect()
            }
        }

        private mutating func delivered(_ event: ServerEvent) -> ServerEvent {
            var event = event
            event.followsInterruption = isInterrupted
            lastId = event.id ?? lastId
            isInterrupted = false
            interruptions = 0
            return event
        }

        /// Returns nil if there is no connection any more.
        private mutating func nextOfConnection() async throws -> ServerEvent? {
            while var current = connection {
                if let event = current.events.popFirst() {
                    connection = current
                    return event
                }
                do {
                    guard let piece = try await current.body.next() else { return nil }
                    current.events = try current.parser.events(in: piece)[...]
                    retry = current.parser.retry ?? retry
                    connection = current
                } catch let error as ClientError {
                    throw error
                } catch {
                    try Task.checkCancellation()
                    return nil
                }
            }
            return nil
        }

        /// Handles an event by which the server closes the stream.
        private mutating func endsForGood(_ event: ServerEvent) async throws -> Bool {
            struct End: Decodable { let reason: String }
            let reason = (try? event.decoded(End.self))?.reason ?? ""
            switch reason {
            case "post_gone": return true
            case "too_many_streams": throw ClientError.streamEnded(reason: reason)
            default: return false
            }
        }

        private mutating func reconnect() async throws {
            if connection != nil {
                connection = nil
                isInterrupted = true
            }
            if isInterrupted {
                interruptions += 1
                try await exchange.configuration.sleep(pause)
                retryAfter = .zero
            }
            let call = call.continued(after: lastId)
            let response: HTTPResponse
            do {
                response = try await exchange.send(call) { $0 }
            } catch ClientError.connection where hasBegun {
                isInterrupted = true
                return
            } catch let error as APIError where hasBegun && isPassing(error) {
                isInterrupted = true
                retryAfter = .seconds(error.retryAfter ?? 0)
                return
            }
            let parser = ServerEventParser(limit: exchange.configuration.maximumEventSize)
            connection = Connection(body: response.body.makeAsyncIterator(), parser: parser)
            opened()
        }

        /// Whether there was a connection before, or an event to continue after.
        private var hasBegun: Bool { isInterrupted || lastId != nil }

        /// A budget is not among these refusals: the user has too many streams, and another connection adds one.
        private func isPassing(_ error: APIError) -> Bool {
            exchange.configuration.retries.isUnavailable(error.status, error.code)
        }

        /// The time that the server asks for, within bounds, or more after several interruptions in a row.
        private var pause: Duration {
            let policy = exchange.configuration.retries
            let asked = Swift.min(retry ?? .zero, policy.longestWait) * (0.5 + 0.5 * policy.jitter())
            return Swift.max(asked, Swift.min(retryAfter, policy.longestWait), policy.backOff(interruptions))
        }
    }
}

extension Call {
    /// The same stream, after an event.
    func continued(after id: String?) -> Call {
        Call(
            method, path, query: query, repetition: repetition, lastEventId: id, body: body,
            authorization: authorization)
    }
}
