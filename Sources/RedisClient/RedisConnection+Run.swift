import Logging
import Synchronization

extension RedisConnection {
    /// Connects, and reconnects with back-off, until the task is cancelled or ``close()`` is called. Returns after the
    /// connection's thread has ended. Call it once.
    package func run() async {
        await withTaskCancellationHandler {
            await withTaskGroup { group in
                group.addTask { await self.connectRepeatedly() }
                group.addTask { [closing] in
                    for await _ in closing.stream {}
                }
                // The wait for `close` ends first; cancelling then ends a back-off sleep or a handshake.
                await group.next()
                group.cancelAll()
            }
        } onCancel: {
            close()
        }
    }

    private func connectRepeatedly() async {
        var failures = 0
        while !shared.withLock({ $0.isClosed }) {
            let (reason, wasUp) = await connectOnce()
            let renewal = shared.withLock { shared in
                defer { shared.renewal = nil }
                return shared.renewal
            }
            if shared.withLock({ $0.isClosed }) { break }
            if wasUp { failures = 0 }
            let delay = configuration.backoff.delay(attempt: failures)
            report(renewal, reason: reason, failures: failures, delay: delay)
            failures += 1
            do { try await Task.sleep(for: delay) } catch { break }
        }
        logger.debug("redis connection is closed")
    }

    /// Logs one warning for each outage; repeated failures are logged at a lower level.
    private func report(_ renewal: Renewal?, reason: String, failures: Int, delay: Duration) {
        switch renewal {
        case .intended: logger.debug("redis connection restarts")
        case .fault(let fault): logger.warning("redis connection restarts", metadata: ["redis.reason": "\(fault)"])
        case nil:
            logger.log(
                level: failures == 0 ? .warning : .debug, "redis is down",
                metadata: [
                    "redis.reason": "\(reason)", "redis.failures": "\(failures)", "redis.retry_in": "\(delay)",
                ])
        }
    }

    /// Runs one session from connecting to its end.
    private func connectOnce() async -> (reason: String, wasUp: Bool) {
        let session: RedisSession
        do {
            session = try RedisSession(
                configuration: configuration, name: name, givesWay: { [weak self] in self?.givesWay ?? false },
                willEnd: { [weak self] in self?.setDown() })
        } catch {
            return (describe(error), false)
        }
        let isClosed = shared.withLock {
            $0.current = session
            return $0.isClosed
        }
        // `close` may have run before there was a session to drain.
        if isClosed { session.drain() }
        let outcome = await withTaskGroup { group in
            group.addTask { self.describe(await session.run()) }
            var failure: String?
            var wasUp = false
            do {
                let handshake = try await RedisHandshake(session)
                try await onHandshake(handshake)
                wasUp = setUp(session, handshake)
            } catch {
                failure = describe(error)
                session.drain()
            }
            let ended = await group.next() ?? "ended"
            // If the handshake failed because the connection did, the connection's error is the reason.
            return (ended == describe(RedisError.closed) ? failure ?? ended : ended, wasUp)
        }
        shared.withLock { $0.current = nil }
        return outcome
    }

    /// Opens the session for commands. False if it has broken, or was closed, since the handshake.
    private func setUp(_ session: RedisSession, _ handshake: RedisHandshake) -> Bool {
        let observers: [AsyncStream<State>.Continuation]? = shared.withLock { shared in
            let isOpen = session.queue.withLock {
                if case .open = $0.phase { true } else { false }
            }
            guard isOpen, !shared.isClosed else { return nil }
            shared.session = session
            shared.handshake = handshake
            return Array(shared.observers.values)
        }
        guard let observers else { return false }
        logger.info("redis is up", metadata: ["redis.run_id": "\(handshake.runID)"])
        for observer in observers { observer.yield(.up) }
        return true
    }

    private func setDown() {
        let observers = shared.withLock {
            $0.session = nil
            return Array($0.observers.values)
        }
        for observer in observers { observer.yield(.down) }
    }

    private func describe(_ error: any Error) -> String {
        guard let error = error as? RedisError else { return "\(error)" }
        return "\(error.code.rawValue): \(error.message)"
    }
}
