import Glibc
import Synchronization

/// One connected life of a connection: a socket, a thread of its own, and a bounded queue in front of them. A session
/// is never reused, so a reply always belongs to a command sent on the same socket.
final class RedisSession: Sendable {
    /// The size of the largest command that a caller writes itself when it finds the thread asleep.
    private static let callersBytes = 4_096
    /// Ignores SIGPIPE, as NIO does. libhiredis writes without MSG_NOSIGNAL, so a closed socket would end the process.
    private static let ignoresBrokenPipes: Void = { _ = signal(SIGPIPE, SIG_IGN) }()
    /// Largest number of arguments that Redis accepts in a command.
    static let commandArguments = 1_048_576

    enum Phase {
        case open
        /// Refuses further commands; ends with the last reply, at the latest at this instant.
        case draining(ContinuousClock.Instant)
        case ended
    }

    struct Queue {
        var waiting: [any RedisPending] = []
        /// Commands that are not yet answered.
        var commands = 0
        var bytes = 0
        var phase = Phase.open
        /// True if the thread is, or is about to be, in `poll`, and has to be woken.
        var isAsleep = false
        /// The time at which the thread last took commands.
        var lastTaken: ContinuousClock.Instant?
    }

    let configuration: RedisConfiguration
    let queue = Mutex(Queue())
    /// The replication id of the history that all replies belong to; nil unless they are confirmed.
    let confirmedHistory = Mutex<String?>(nil)
    /// The commands under way; nil while there is no connection.
    let pipeline = Mutex<RedisPipeline?>(nil)
    let wakeup: RedisWakeup
    /// True while only few commands may be in flight.
    let givesWay: @Sendable () -> Bool
    private let name: String
    private let willEnd: @Sendable () -> Void

    /// - Parameter willEnd: called on the thread once the socket is unusable, before the first caller is resumed.
    init(
        configuration: RedisConfiguration, name: String, givesWay: @escaping @Sendable () -> Bool = { false },
        willEnd: @escaping @Sendable () -> Void
    ) throws {
        self.configuration = configuration
        self.name = name
        self.givesWay = givesWay
        self.willEnd = willEnd
        wakeup = try RedisWakeup()
        _ = Self.ignoresBrokenPipes
    }

    /// Connects and serves the queue until the connection breaks or ``drain()`` is over; returns the reason.
    func run() async -> RedisError {
        await withCheckedContinuation { continuation in
            do {
                // libhiredis and `poll` block.
                try RedisThread.start(name: name) { [self] in
                    continuation.resume(returning: RedisLoop.run(self))
                }
            } catch {
                abandon()
                continuation.resume(returning: error as? RedisError ?? .unavailable)
            }
        }
    }

    /// Waits for replies in flight up to the configured time, then ends the session. Returns at once.
    func drain() {
        queue.withLock {
            guard case .open = $0.phase else { return }
            $0.phase = .draining(.now + configuration.drainTimeout)
        }
        wakeup.signal()
    }

    func send<T: Sendable>(
        _ first: RedisCommand, _ rest: [RedisCommand], timeout: Duration?,
        decode: @escaping @Sendable (RedisReplies) throws -> T
    ) async throws -> T {
        let entry = RedisEntry(first, rest, timeout: timeout ?? configuration.commandTimeout, decode: decode)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard entry.install(continuation) else { return }
                if let refusal = submit(entry) { entry.fail(refusal) }
            }
        } onCancel: {
            // The loop removes a command that was not sent yet, and otherwise discards its reply in its turn.
            entry.fail(CancellationError())
        }
    }

    private func submit(_ entry: any RedisPending) -> RedisError? {
        let commands = entry.commandCount
        let bytes = entry.byteCount
        guard entry.isWithinLimits, bytes <= configuration.maximumQueuedBytes,
            commands <= configuration.maximumQueuedCommands
        else { return RedisError(.commandTooLarge, "\(commands) commands of \(bytes) bytes") }
        var isAsleep = false
        let refusal: RedisError? = queue.withLock {
            switch $0.phase {
            case .open: break
            case .draining: return .closed
            case .ended: return .unavailable
            }
            guard $0.commands + commands <= configuration.maximumQueuedCommands,
                $0.bytes + bytes <= configuration.maximumQueuedBytes
            else { return .queueFull }
            $0.waiting.append(entry)
            $0.commands += commands
            $0.bytes += bytes
            swap(&isAsleep, &$0.isAsleep)
            return nil
        }
        if isAsleep, bytes > Self.callersBytes || !advance() { wakeup.signal() }
        return refusal
    }

    /// Writes what waits; false if the thread has to. It has been found asleep, so nobody else will wake it.
    private func advance() -> Bool {
        pipeline.withLockIfAvailable { $0?.advanceForCaller() ?? false } ?? false
    }

    /// Refuses commands from now on and returns those that the loop has not taken yet, with the error for their
    /// callers.
    func end() -> (abandoned: [any RedisPending], error: RedisError) {
        // The phase changes first: an owner that still finds the session open is called after it has published it.
        defer { willEnd() }
        return queue.withLock {
            var error = RedisError.unavailable
            if case .draining = $0.phase { error = .closed }
            $0.phase = .ended
            let abandoned = $0.waiting
            $0.waiting = []
            return (abandoned, error)
        }
    }

    /// Ends a session that never had a socket.
    func abandon() {
        let (abandoned, refusal) = end()
        for entry in abandoned { entry.fail(refusal) }
    }
}

extension RedisPending {
    fileprivate var isWithinLimits: Bool {
        first.argumentCount <= RedisSession.commandArguments
            && rest.allSatisfy { $0.argumentCount <= RedisSession.commandArguments }
    }
}
