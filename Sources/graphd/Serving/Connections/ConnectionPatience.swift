import GraphServices
import NIOCore

/// The times for which either end of an HTTP/1 connection, or of a stream of HTTP/2, may keep the server waiting. Of a
/// whole connection of HTTP/2 it knows the number of streams, which have their own.
///
/// A value without a clock: it receives events with their times, and returns the deadline. Nothing is scheduled for a
/// request; one timer for the connection calls ``verdict(now:unsent:)`` periodically.
struct ConnectionPatience {
    struct Limits: Sendable, Equatable {
        /// Time from the connection, or the first byte of a request, to the end of its header.
        var header = TimeAmount(RequestLimits.headerTime)
        /// Time in which a body, or the reader of an answer, must progress by ``progress`` bytes.
        var pause = TimeAmount(RequestLimits.bodyPause)
        var progress = RequestLimits.bodyProgress
        /// Time between two requests.
        var idle = TimeAmount(RequestLimits.idleTime)
        /// Time for the rest of a body that has been answered.
        var drain = TimeAmount(RequestLimits.refusedUploadLimit)
        /// Time for the peer to close after this side has.
        var closing = TimeAmount.seconds(5)
        /// The longest time between two verdicts.
        var check = TimeAmount.seconds(20)
    }

    enum Overdue: String, Sendable, CaseIterable {
        case header
        case body
        case reader
        case idle
        case drain
        case closing
    }

    enum Verdict: Equatable {
        case wait(until: NIODeadline)
        case close(Overdue)
    }

    private enum Receiving {
        case nothing
        /// Part of a header.
        case header
        case body
    }

    private let limits: Limits
    private var receiving = Receiving.header
    /// Start of ``receiving``, or time of the latest answer.
    private var since: NIODeadline
    private var requests = 0
    /// Time since when the server has been ready to read; nil if it is not, and then its slowness is not the client's.
    private var readingSince: NIODeadline?
    private var isAnswering = false
    /// True for a connection of HTTP/2, whose bytes belong to any stream.
    private var isMultiplexed = false
    private var closedAt: NIODeadline?
    private var received = 0
    private var written = 0
    /// Bytes received when the body last progressed, and the time spent waiting for more since.
    private var bodyMark = 0
    private var bodyWait = TimeAmount.zero
    /// Bytes sent, and the time of the latest count, while part of an answer is unsent.
    private var sentMark: (bytes: Int, at: NIODeadline)?

    /// - Parameter now: time at which the connection was accepted.
    init(_ limits: Limits, now: NIODeadline) {
        self.limits = limits
        since = now
    }

    /// True if the server can write an answer of its own: no request is being answered.
    var canAnswer: Bool { !isAnswering && requests <= 1 && closedAt == nil }

    /// Records that the server is ready to read.
    mutating func reads(now: NIODeadline) { readingSince = readingSince ?? now }

    /// Records received bytes.
    mutating func receives(_ bytes: Int, now: NIODeadline) {
        if let readingSince { bodyWait = bodyWait + (now - readingSince) }
        readingSince = nil
        received += bytes
        if receiving == .nothing, requests == 0, !isMultiplexed {
            receiving = .header
            since = now
        }
    }

    /// Records that the connection has agreed on HTTP/2.
    mutating func multiplexes(now: NIODeadline) {
        isMultiplexed = true
        (receiving, since) = (.nothing, now)
    }

    mutating func opensStream() { requests += 1 }

    mutating func closesStream(now: NIODeadline) {
        requests = max(requests - 1, 0)
        since = now
    }

    mutating func beginsRequest(now: NIODeadline) {
        requests += 1
        receiving = .body
        since = now
        (bodyMark, bodyWait) = (received, .zero)
    }

    mutating func endsRequest(now: NIODeadline) {
        receiving = .nothing
        since = now
    }

    mutating func beginsAnswer() { isAnswering = true }

    mutating func writes(_ bytes: Int) { written += bytes }

    mutating func endsAnswer(now: NIODeadline) {
        isAnswering = false
        requests = max(requests - 1, 0)
        since = now
    }

    /// Records that this side has been closed.
    mutating func closes(now: NIODeadline) { closedAt = closedAt ?? now }

    /// - Parameter unsent: bytes of ``writes(_:)`` that the peer has not accepted.
    mutating func verdict(now: NIODeadline, unsent: Int) -> Verdict {
        var deadline = now + limits.check
        /// Returns nil if it is in time.
        func overdue(_ limit: TimeAmount, since start: NIODeadline, _ what: Overdue) -> Overdue? {
            deadline = min(deadline, start + limit)
            return now - start >= limit ? what : nil
        }
        if let late = isReaderStuck(now, unsent) ? Overdue.reader : nil { return .close(late) }
        let late: Overdue?
        if let closedAt, unsent == 0 {
            late = overdue(limits.closing, since: closedAt, .closing)
        } else {
            switch (receiving, requests) {
            case (.header, _): late = overdue(limits.header, since: since, .header)
            case (.body, 0): late = overdue(limits.drain, since: since, .drain)
            case (.body, _):
                let waited = bodyWaited(now)
                late = overdue(limits.pause, since: now - waited, .body)
            case (.nothing, 0):
                // HTTP/2 announces the end of an idle connection before, and has a moment for that.
                let limit = isMultiplexed ? limits.idle + limits.closing : limits.idle
                late = unsent == 0 ? overdue(limit, since: since, .idle) : nil
            case (.nothing, _): late = nil
            }
        }
        return late.map { .close($0) } ?? .wait(until: deadline)
    }

    /// Time spent waiting for a body that arrives too slowly.
    private mutating func bodyWaited(_ now: NIODeadline) -> TimeAmount {
        if received - bodyMark >= limits.progress {
            (bodyMark, bodyWait) = (received, .zero)
            readingSince = readingSince.map { _ in now }
        }
        return bodyWait + (readingSince.map { now - $0 } ?? .zero)
    }

    private mutating func isReaderStuck(_ now: NIODeadline, _ unsent: Int) -> Bool {
        guard unsent > 0 else {
            sentMark = nil
            return false
        }
        let sent = written - unsent
        guard let mark = sentMark, sent - mark.bytes < limits.progress else {
            sentMark = (sent, now)
            return false
        }
        return now - mark.at >= limits.pause
    }
}
