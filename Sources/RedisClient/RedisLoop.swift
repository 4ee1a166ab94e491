import DequeModule
import Glibc
import Synchronization

/// The thread of a session: takes queued commands, writes them at once, reads, decodes and resumes.
final class RedisLoop {
    /// Approximate number of bytes of formatted commands that are passed to the socket at a time. libhiredis moves the
    /// rest of a partial write, so a portion must be small.
    static let writePortionBytes = 256 << 10
    /// Reads per turn before the loop looks at its queue again.
    static let readsPerTurn = 16

    private struct Sent {
        let entry: any RedisPending
        let deadline: ContinuousClock.Instant
    }

    private let session: RedisSession
    private let socket: RedisSocket
    private let batch = RedisReplyBatch()
    private var taken: [any RedisPending] = []
    private var unsent = Deque<Sent>()
    private var inFlight = Deque<Sent>()
    /// The last entry in flight, while only its commands before the index are written.
    private var partial: (entry: any RedisPending, next: Int)?
    /// True if replies wait until ``history`` has confirmed them.
    private let confirmsHistory: Bool
    private var history = RedisHistory()
    /// Arguments of commands that are written and not yet answered.
    private var unanswered = 0
    /// A lower bound of all deadlines; it may be too early, never too late.
    private var earliestDeadline: ContinuousClock.Instant?
    private var drainDeadline: ContinuousClock.Instant?
    private var isFlushed = true
    private var releasedCommands = 0
    private var releasedBytes = 0
    private var now = ContinuousClock.now

    /// Runs on the calling thread until the connection ends, and returns the reason. All callers have been resumed
    /// then.
    static func run(_ session: RedisSession) -> RedisError {
        // A write to a closed socket raises SIGPIPE on the writing thread, and libhiredis writes without MSG_NOSIGNAL;
        // signals meant for the process belong to the threads that wait for them.
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
        let loop: RedisLoop
        do {
            loop = RedisLoop(session, try RedisSocket(session.configuration.endpoint))
        } catch {
            session.abandon()
            return error as? RedisError ?? .unavailable
        }
        return loop.run()
    }

    private init(_ session: RedisSession, _ socket: RedisSocket) {
        self.session = session
        self.socket = socket
        confirmsHistory = session.configuration.confirmsHistory
        socket.parse(into: batch.arena)
    }

    private func run() -> RedisError {
        do {
            try connect()
            while try turn() {}
            finish(.closed)
            return .closed
        } catch {
            let reason = error as? RedisError ?? RedisError(.connectionLost, "unknown")
            finish(reason)
            return reason
        }
    }

    private func connect() throws {
        let deadline = now + session.configuration.connectTimeout
        while true {
            now = .now
            let draining = session.queue.withLock {
                if case .draining = $0.phase { true } else { false }
            }
            if draining { throw RedisError.closed }
            guard now < deadline else { throw RedisError(.unavailable, "no connection within the time limit") }
            let ready = try wait(for: Int16(POLLOUT), until: deadline)
            if ready & Int16(POLLOUT | POLLERR | POLLHUP) != 0 { return try socket.finishConnecting() }
        }
    }

    /// One round of take, write, wait, read; false once a drained session has nothing left to do.
    private func turn() throws -> Bool {
        now = .now
        take()
        try write()
        if let drainDeadline {
            if unsent.isEmpty, inFlight.isEmpty, isFlushed { return false }
            if now >= drainDeadline {
                throw RedisError(.connectionLost, "replies were still missing when it was closed")
            }
        }
        // Between `take` and this, callers saw an awake thread and did not wake it.
        let mayWait = session.queue.withLock {
            $0.isAsleep = $0.waiting.isEmpty
            return $0.isAsleep
        }
        let deadline = mayWait ? [earliestDeadline, drainDeadline].compactMap(\.self).min() : now
        let events = isFlushed ? Int16(POLLIN) : Int16(POLLIN | POLLOUT)
        if try wait(for: events, until: deadline) & ~Int16(POLLOUT) != 0 { try read() }
        // `now` is older than the last read: after a pause of this process, replies that have arrived count as in time.
        if let earliestDeadline, earliestDeadline <= now { try expire() }
        return true
    }

    private func take() {
        session.queue.withLock {
            $0.isAsleep = false
            swap(&taken, &$0.waiting)
            if !taken.isEmpty { $0.lastTaken = now }
            $0.commands -= releasedCommands
            $0.bytes -= releasedBytes
            if case .draining(let deadline) = $0.phase { drainDeadline = deadline }
        }
        releasedCommands = 0
        releasedBytes = 0
        for entry in taken {
            let deadline = now + entry.timeout
            unsent.append(Sent(entry: entry, deadline: deadline))
            earliestDeadline = earliestDeadline.map { min($0, deadline) } ?? deadline
        }
        taken.removeAll(keepingCapacity: true)
    }

    private func write() throws {
        let limit = session.givesWay() ? RedisConnection.argumentsInFlightGivingWay : .max
        var hasMore = true
        repeat {
            var portion = 0
            while isFlushed || portion > 0, portion < Self.writePortionBytes {
                guard unanswered < limit, let command = nextCommand() else {
                    hasMore = false
                    break
                }
                try socket.append(command)
                unanswered += command.argumentCount
                portion += command.bytes.count
                isFlushed = false
            }
            if !isFlushed { isFlushed = try socket.flush() }
        } while isFlushed && hasMore
    }

    /// The next command to write. An entry is in flight before its first command is formatted: if formatting fails, the
    /// entry fails with the others.
    private func nextCommand() -> RedisCommand? {
        guard confirmsHistory else { return nextOfCaller() }
        if partial == nil, history.unconfirmed >= RedisHistory.commandsPerQuestion { return question() }
        guard let command = nextOfCaller() else { return question() }
        history.noteWritten()
        return command
    }

    /// The question for the replication id; nil if no command was written since the last.
    private func question() -> RedisCommand? {
        guard history.unconfirmed > 0 else { return nil }
        history.noteAsked()
        let question = RedisHistory.Question(timeout: session.configuration.commandTimeout)
        let deadline = now + question.timeout
        inFlight.append(Sent(entry: question, deadline: deadline))
        earliestDeadline = earliestDeadline.map { min($0, deadline) } ?? deadline
        return question.first
    }

    private func nextOfCaller() -> RedisCommand? {
        if let (entry, next) = partial {
            partial = next + 1 < entry.commandCount ? (entry, next + 1) : nil
            return entry.command(next)
        }
        while let sent = unsent.popFirst() {
            guard !sent.entry.isCompleted else {
                release(sent.entry)
                continue
            }
            inFlight.append(sent)
            if !sent.entry.rest.isEmpty { partial = (sent.entry, 1) }
            return sent.entry.first
        }
        return nil
    }

    private func read() throws {
        for _ in 0..<Self.readsPerTurn {
            let mayHaveMore = try socket.receive(atMost: session.configuration.maximumReplyBytes)
            // Replies are parsed after every read, because libhiredis moves the rest of its buffer for every kilobyte
            // it has parsed.
            while try socket.nextReply(into: batch) {
                guard let sent = inFlight.first, batch.count <= written(of: sent.entry) else {
                    throw RedisError(.protocolViolation, "a reply without a command")
                }
                unanswered -= sent.entry.command(batch.count - 1).argumentCount
                guard batch.count == sent.entry.commandCount else { continue }
                _ = inFlight.popFirst()
                guard !confirmsHistory else {
                    try confirm(sent.entry)
                    continue
                }
                release(sent.entry)
                batch.consume { sent.entry.fulfil($0) }
            }
            if !mayHaveMore { break }
        }
        if inFlight.isEmpty, unsent.isEmpty { earliestDeadline = nil }
    }

    /// Takes the replies to an entry, and resumes the callers that they confirm.
    private func confirm(_ entry: any RedisPending) throws {
        guard entry is RedisHistory.Question else {
            release(entry)
            batch.consume { entry.hold($0) }
            history.hold(entry)
            return
        }
        var confirmed = Result<[any RedisPending], any Error>.success([])
        batch.consume { replies in confirmed = Result { try history.confirm(replies) } }
        let entries = try confirmed.get()
        session.confirmedHistory.withLock { $0 = history.id }
        for entry in entries { entry.release() }
    }

    /// Number of commands of an entry in flight that have been written.
    private func written(of entry: any RedisPending) -> Int {
        guard let partial, partial.entry === entry else { return entry.commandCount }
        return partial.next
    }

    private func release(_ entry: any RedisPending) {
        releasedCommands += entry.commandCount
        releasedBytes += entry.byteCount
    }

    /// Throws if a reply is overdue. The commands behind it can no longer be told apart from it, so all of them fail.
    private func expire() throws {
        var earliest: ContinuousClock.Instant?
        let note: (Sent) -> Void = { sent in earliest = earliest.map { min($0, sent.deadline) } ?? sent.deadline }
        inFlight.forEach(note)
        unsent.forEach(note)
        earliestDeadline = earliest
        if let earliest, earliest <= now { throw RedisError.timeout }
    }

    private func finish(_ reason: RedisError) {
        let (abandoned, refusal) = session.end()
        let loss = reason.code == .protocolViolation ? reason : RedisError(.connectionLost, reason.message)
        let isTimeout = reason.code == .timeout
        inFlight.forEach { sent in
            sent.entry.fail(isTimeout && sent.deadline <= now ? .timeout : loss)
        }
        unsent.forEach { sent in
            sent.entry.fail(isTimeout && sent.deadline <= now ? .timeout : refusal)
        }
        for entry in history.held { entry.fail(loss) }
        for entry in abandoned { entry.fail(refusal) }
    }

    /// Waits for the socket, a wake-up or the deadline; returns the socket's events.
    private func wait(for events: Int16, until deadline: ContinuousClock.Instant?) throws -> Int16 {
        var milliseconds: Int32 = -1
        if let deadline {
            let left = (deadline - now) / .milliseconds(1)
            // Rounded up: waking a little early would spin through the last millisecond.
            milliseconds = left <= 0 ? 0 : Int32(min(left.rounded(.up), 60_000))
        }
        return try withUnsafeTemporaryAllocation(of: pollfd.self, capacity: 2) { descriptors in
            descriptors.initializeElement(at: 0, to: pollfd(fd: socket.descriptor, events: events, revents: 0))
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
