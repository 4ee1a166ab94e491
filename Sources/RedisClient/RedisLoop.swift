import Glibc
import Synchronization

/// The thread of a session, which alone waits for the socket.
struct RedisLoop {
    private let session: RedisSession
    private let descriptor: Int32

    /// Runs on the calling thread until the connection ends, and returns the reason. All callers have been resumed
    /// then.
    static func run(_ session: RedisSession) -> RedisError {
        // Signals meant for the process belong to the threads that wait for them.
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
        do {
            let descriptor = try session.pipeline.withLock { pipeline in
                let socket = try RedisSocket(session.configuration.endpoint)
                pipeline = RedisPipeline(session, socket)
                return socket.descriptor
            }
            let loop = RedisLoop(session: session, descriptor: descriptor)
            try loop.connect()
            return loop.serve()
        } catch {
            session.pipeline.withLock { $0 = nil }
            session.abandon()
            return reason(error)
        }
    }

    private static func reason(_ error: any Error) -> RedisError {
        error as? RedisError ?? RedisError(.connectionLost, "unknown")
    }

    private func connect() throws {
        var now = ContinuousClock.now
        let deadline = now + session.configuration.connectTimeout
        while true {
            let draining = session.queue.withLock {
                if case .draining = $0.phase { true } else { false }
            }
            if draining { throw RedisError.closed }
            guard now < deadline else { throw RedisError(.unavailable, "no connection within the time limit") }
            let ready = try wait(for: Int16(POLLOUT), until: deadline, from: now)
            if ready & Int16(POLLOUT | POLLERR | POLLHUP) != 0 {
                return try session.pipeline.withLock { try $0?.finishConnecting() }
            }
            now = .now
        }
    }

    /// Serves the queue until the connection ends, and returns the reason.
    private func serve() -> RedisError {
        var end = RedisError.closed
        do {
            while try turn() {}
        } catch {
            end = Self.reason(error)
        }
        session.pipeline.withLock {
            $0?.finish(end)
            $0 = nil
        }
        return end
    }

    /// One round of take, write, wait, read; false once a drained session has nothing left to do.
    private func turn() throws -> Bool {
        let now = ContinuousClock.now
        guard let wish = try session.pipeline.withLock({ try $0?.advance(at: now) }) else { return false }
        let events = try wait(
            for: Int16(wish.isForRoom ? POLLIN | POLLOUT : POLLIN), until: wish.deadline, from: now)
        try session.pipeline.withLock { pipeline in
            if events & ~Int16(POLLOUT) != 0 { try pipeline?.read() }
            // `now` is older than the last read: after a pause of this process, replies that have arrived count as in
            // time.
            try pipeline?.expire(at: now)
        }
        return true
    }

    /// Waits for the socket, a wake-up or the deadline; returns the socket's events.
    private func wait(
        for events: Int16, until deadline: ContinuousClock.Instant?, from now: ContinuousClock.Instant
    ) throws -> Int16 {
        var milliseconds: Int32 = -1
        if let deadline {
            let left = (deadline - now) / .milliseconds(1)
            // Rounded up: waking a little early would spin through the last millisecond.
            milliseconds = left <= 0 ? 0 : Int32(min(left.rounded(.up), 60_000))
        }
        return try withUnsafeTemporaryAllocation(of: pollfd.self, capacity: 2) { descriptors in
            descriptors.initializeElement(at: 0, to: pollfd(fd: descriptor, events: events, revents: 0))
            descriptors.initializeElement(
                at: 1, to: pollfd(fd: session.wakeup.descriptor, events: Int16(POLLIN), revents: 0))
            let count = poll(descriptors.baseAddress, 2, milliseconds)
            guard count >= 0 || errno == EINTR else {
                throw RedisError(.connectionLost, String(cString: strerror(errno)))
            }
            if count > 0, descriptors[1].revents != 0 { session.wakeup.clear() }
            return count > 0 ? descriptors[0].revents : 0
        }
    }
}
