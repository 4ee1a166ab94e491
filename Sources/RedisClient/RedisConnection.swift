import Logging
import Synchronization
import Tracing
import TracingSpans

/// One connection to Redis, on a thread of its own, that reconnects whenever it breaks.
///
/// Concurrent callers are pipelined: they share writes and reads, and each gets the reply to its own command. Without a
/// connection, commands fail at once with `.unavailable`.
package final class RedisConnection: Sendable {
    /// Time after a command for which a connection counts as in use by one that gives way to it.
    static let useLasts = Duration.milliseconds(20)
    /// Number of arguments in flight from which on a connection that gives way sends no further command. Most arguments
    /// are windows, so their number tells how long Redis is busy: with one push, and the next.
    package static let argumentsInFlightGivingWay = 120

    package enum State: String, Sendable {
        case down, up
    }

    struct Shared {
        /// The session; set exactly while the connection accepts commands.
        var session: RedisSession?
        /// The session with what its handshake has found out.
        var handshake: RedisHandshake?
        /// The session whose handshake or service is under way.
        var current: RedisSession?
        /// The reason why ``reconnect(because:)`` ended the current session.
        var renewal: Renewal?
        var isClosed = false
        var observers: [Int: AsyncStream<State>.Continuation] = [:]
        var nextObserver = 0
    }

    let configuration: RedisConfiguration
    let name: String
    let logger: Logger
    /// The connection that this one gives way to.
    private let preferred: RedisConnection?
    let onHandshake: @Sendable (RedisHandshake) async throws -> Void
    private let tracer = SpanTracer.ambient
    let shared = Mutex(Shared())
    /// Finished by ``close()``, which ends the waits of ``run()``.
    let closing = AsyncStream<Never>.makeStream()

    /// - Parameters:
    ///   - name: for the log and the thread.
    ///   - preferred: while it is in use, this connection has few commands in flight at a time. Redis executes what it
    ///     has read from one connection, up to 16 KiB, before it serves the next.
    ///   - onHandshake: prepares every new connection before it accepts commands of callers; if it throws, the
    ///     connection is closed and retried with back-off.
    ///
    /// Throws `.invalidConfiguration`.
    package init(
        configuration: RedisConfiguration, name: String, givingWayTo preferred: RedisConnection? = nil, logger: Logger,
        onHandshake: @escaping @Sendable (RedisHandshake) async throws -> Void = { _ in }
    ) throws {
        try configuration.validate()
        self.configuration = configuration
        self.name = name
        self.preferred = preferred
        var logger = logger
        logger[metadataKey: "redis.connection"] = "\(name)"
        logger[metadataKey: "redis.endpoint"] = "\(configuration)"
        self.logger = logger
        self.onHandshake = onHandshake
    }

    /// Sends a command and decodes its reply.
    ///
    /// `decode` runs on the connection's thread, so that C memory never leaves it: it must be quick and must not block.
    /// An error reply throws `.server` without a call of `decode`; errors inside an array are left to `decode`. If the
    /// calling task is cancelled, this throws `CancellationError` at once; the command may be executed.
    ///
    /// - Parameter timeout: replaces the timeout of the configuration; when it is over, the connection is closed.
    package func send<T: Sendable>(
        _ command: RedisCommand, timeout: Duration? = nil,
        decode: @escaping @Sendable (RedisReplyView) throws -> T
    ) async throws -> T {
        guard let tracer, SpanTracer.span != nil else {
            return try await overSession { try await $0.send(command, timeout: timeout, decode: decode) }
        }
        return try await tracer.withSpan("redis \(command.name)", ofKind: .client) { span in
            span.attributes["db.system"] = "redis"
            return try await overSession { try await $0.send(command, timeout: timeout, decode: decode) }
        }
    }

    /// Sends several commands next to each other and decodes their replies together. No error reply throws by itself.
    /// The commands are not a transaction: other connections' commands may be executed between them.
    package func send<T: Sendable>(
        _ commands: [RedisCommand], timeout: Duration? = nil,
        decode: @escaping @Sendable (RedisReplies) throws -> T
    ) async throws -> T {
        guard let tracer, let first = commands.first, SpanTracer.span != nil else {
            return try await overSession { try await $0.send(commands, timeout: timeout, decode: decode) }
        }
        return try await tracer.withSpan("redis \(first.name)", ofKind: .client) { span in
            span.attributes["db.system"] = "redis"
            span.attributes["db.operation.batch.size"] = commands.count
            return try await overSession { try await $0.send(commands, timeout: timeout, decode: decode) }
        }
    }

    /// Endpoint and database, without a password.
    package var address: String { configuration.description }

    /// The present session; nil while the connection is down.
    package var present: RedisHandshake? { shared.withLock { $0.session == nil ? nil : $0.handshake } }

    package var state: State { shared.withLock { $0.session == nil ? .down : .up } }

    /// The time at which commands were last sent on the present session.
    var lastUse: ContinuousClock.Instant? { shared.withLock(\.session)?.queue.withLock(\.lastTaken) }

    func isInUse(at now: ContinuousClock.Instant = .now) -> Bool {
        lastUse.map { $0.duration(to: now) < Self.useLasts } ?? false
    }

    /// True while the connection that this one gives way to is in use.
    package var givesWay: Bool { preferred?.isInUse() ?? false }

    /// The present state and each change of it; only the newest if the reader is slow. Ends when the connection is
    /// closed.
    package func states() -> AsyncStream<State> {
        let (stream, observer) = AsyncStream<State>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number: Int? = shared.withLock {
            guard !$0.isClosed else { return nil }
            observer.yield($0.session == nil ? .down : .up)
            $0.observers[$0.nextObserver] = observer
            $0.nextObserver += 1
            return $0.nextObserver - 1
        }
        guard let number else {
            observer.finish()
            return stream
        }
        observer.onTermination = { [weak self] _ in
            _ = self?.shared.withLock { $0.observers.removeValue(forKey: number) }
        }
        return stream
    }

    /// Returns once commands are accepted; throws `.closed` or `CancellationError` if that cannot happen any more.
    package func waitUntilUp() async throws {
        for await state in states() where state == .up { return }
        try Task.checkCancellation()
        throw RedisError.closed
    }

    /// Returns whether commands are accepted, as soon as they are, or after `limit`.
    package func isUp(within limit: Duration) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask { (try? await self.waitUntilUp()) != nil }
            group.addTask {
                try? await Task.sleep(for: limit)
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }

    /// Refuses further commands, waits for replies in flight up to ``RedisConfiguration/drainTimeout``, and makes
    /// ``run()`` return. Returns at once.
    package func close() {
        let (current, observers) = shared.withLock { shared in
            defer { shared.observers = [:] }
            shared.isClosed = true
            shared.session = nil
            return (shared.current, Array(shared.observers.values))
        }
        current?.drain()
        for observer in observers {
            observer.yield(.down)
            observer.finish()
        }
        closing.continuation.finish()
    }

    /// The reason for ending a session.
    package enum Renewal: Sendable {
        /// A new handshake is wanted, for its effect.
        case intended
        case fault(String)
    }

    /// Ends the present session, so that a new one goes through the handshake. Replies in flight may still arrive.
    package func reconnect(because renewal: Renewal) {
        let current = shared.withLock { shared in
            shared.session = nil
            if shared.current != nil { shared.renewal = renewal }
            return shared.current
        }
        current?.drain()
    }

    private func overSession<T: Sendable>(_ body: (RedisSession) async throws -> T) async throws -> T {
        do {
            return try await body(session())
        } catch let error as RedisError where error.code == .closed {
            // A session that gives way to a new one has refused the command; the service has not ended.
            throw shared.withLock(\.isClosed) ? error : .unavailable
        }
    }

    private func session() throws -> RedisSession {
        try shared.withLock {
            if let session = $0.session { return session }
            throw $0.isClosed ? RedisError.closed : RedisError.unavailable
        }
    }
}
