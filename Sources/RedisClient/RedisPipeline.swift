import DequeModule
import Synchronization

/// The commands that a session has written and those that it is to write. The session's thread takes queued commands,
/// writes them at once, reads, decodes and resumes. A caller that finds the thread asleep, and nothing under way,
/// writes its command itself, which spares the command the thread's awakening.
final class RedisPipeline {
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
    /// The time at which the thread wakes up by itself.
    private var alarm: ContinuousClock.Instant?
    private var isFlushed = true
    /// The error that a caller met when it wrote. The thread ends the session with it.
    private var fault: (any Error)?
    private var releasedCommands = 0
    private var releasedBytes = 0
    private var now = ContinuousClock.now

    init(_ session: RedisSession, _ socket: RedisSocket) {
        self.session = session
        self.socket = socket
        confirmsHistory = session.configuration.confirmsHistory
        socket.parse(into: batch.arena)
    }

    func finishConnecting() throws { try socket.finishConnecting() }

    /// The event that the thread waits for next: something to read or, if wanted, room to write.
    struct Wait {
        let isForRoom: Bool
        let deadline: ContinuousClock.Instant?
    }

    /// Takes and writes. Returns what to wait for then; nil once a drained session has nothing left to do.
    func advance(at now: ContinuousClock.Instant) throws -> Wait? {
        if let fault { throw fault }
        self.now = now
        take()
        try write()
        if let drainDeadline {
            if unsent.isEmpty, inFlight.isEmpty, isFlushed { return nil }
            if now >= drainDeadline {
                throw RedisError(.connectionLost, "replies were still missing when it was closed")
            }
        }
        alarm = [earliestDeadline, drainDeadline].compactMap(\.self).min()
        return Wait(isForRoom: !isFlushed, deadline: mayWait() ? alarm : now)
    }

    /// Takes and writes on the thread of a caller, if no other command is under way. Returns false if the session's
    /// thread must go on: it gathers the commands that come until it is awake, and writes them together.
    func advanceForCaller() -> Bool {
        guard fault == nil, isFlushed, unsent.isEmpty, inFlight.isEmpty else { return false }
        now = .now
        take()
        do {
            try write()
        } catch {
            fault = error
            return false
        }
        guard isFlushed, unsent.isEmpty, partial == nil, drainDeadline == nil else { return false }
        if let earliestDeadline {
            guard let alarm, alarm <= earliestDeadline else { return false }
        }
        return mayWait()
    }

    /// True if nothing has been queued since the queue was taken; the next caller then finds the thread asleep.
    private func mayWait() -> Bool {
        session.queue.withLock {
            $0.isAsleep = $0.waiting.isEmpty
            return $0.isAsleep
        }
    }

    /// Takes what waits in the queue.
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

    /// Reads, decodes and resumes callers.
    func read() throws {
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

    /// Throws if a reply was overdue at `now`. The commands behind it can no longer be told apart from it, so all of
    /// them fail.
    func expire(at now: ContinuousClock.Instant) throws {
        guard let earliestDeadline, earliestDeadline <= now else { return }
        var earliest: ContinuousClock.Instant?
        let note: (Sent) -> Void = { sent in earliest = earliest.map { min($0, sent.deadline) } ?? sent.deadline }
        inFlight.forEach(note)
        unsent.forEach(note)
        self.earliestDeadline = earliest
        if let earliest, earliest <= now { throw RedisError.timeout }
    }

    /// Fails all that is not answered.
    func finish(_ reason: RedisError) {
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
}
