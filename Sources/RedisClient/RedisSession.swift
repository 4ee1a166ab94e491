import Synchronization

/// One connected life of a connection: a socket and a thread of its own, a bounded queue in front of them. A session is
/// never reused, so that a reply can only ever belong to a command sent on the same socket.
final class RedisSession: Sendable {
    /// Redis refuses a command with more arguments.
    static let commandArguments = 1_048_576

    enum Phase {
        case open
        /// Takes no more commands; ends when the last reply is there, at the latest at this instant.
        case draining(ContinuousClock.Instant)
        case ended
    }

    struct Queue {
        var waiting: [any RedisPending] = []
        /// Handed in and not yet answered.
        var commands = 0
        var bytes = 0
        var phase = Phase.open
        /// The thread is, or is about to be, in `poll`, and has to be woken.
        var isAsleep = false
        /// When the thread last took commands.
        var lastTaken: ContinuousClock.Instant?
    }

    let configuration: RedisConfiguration
    let queue = Mutex(Queue())
    let wakeup: RedisWakeup
    /// Whether only little may be under way at the moment.
    let givesWay: @Sendable () -> Bool
    private let name: String
    private let willEnd: @Sendable () -> Void

    /// - Parameter willEnd: called on the thread once the socket is unusable, before the first caller learns of it.
    init(
        configuration: RedisConfiguration, name: String, givesWay: @escaping @Sendable () -> Bool = { false },
        willEnd: @escaping @Sendable () -> Void
    ) throws {
        self.configuration = configuration
        self.name = name
        self.givesWay = givesWay
        self.willEnd = willEnd
        wakeup = try RedisWakeup()
    }

    /// Connects and serves the queue until the connection breaks or ``drain()`` is over; returns why.
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

    /// Lets replies in flight arrive within the configured time, then ends. Returns at once.
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
            // The loop drops the command if it is not sent yet, and else swallows its reply in its turn.
            entry.fail(CancellationError())
        }
    }

    private func submit(_ entry: any RedisPending) -> RedisError? {
        let commands = entry.commandCount
        let bytes = entry.byteCount
        guard entry.isWithinLimits, bytes <= configuration.maximumQueuedBytes,
            commands <= configuration.maximumQueuedCommands
        else { return RedisError(.commandTooLarge, "\(commands) commands of \(bytes) bytes") }
        var mustWake = false
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
            mustWake = $0.isAsleep
            $0.isAsleep = false
            return nil
        }
        if mustWake { wakeup.signal() }
        return refusal
    }

    /// Refuses commands from now on and returns those that the loop has not taken yet, with the error they deserve.
    func end() -> (abandoned: [any RedisPending], error: RedisError) {
        // The phase first: an owner that still finds the session open is told after it has published it.
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
