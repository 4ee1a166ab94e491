import Database
import Synchronization

/// A connection on which callers ask with their own threads, one at a time, as long as the server answers at once. To
/// hand a question to a thread of the pool and its answer back takes two switches between threads; on a machine whose
/// cores sleep between requests, each of them takes longer than the answer.
final class CallerConnection: Sendable {
    /// The time for which a caller's thread waits, which is one of the few that all tasks share.
    static let patience = Duration.milliseconds(1)
    /// The time for which nobody asks here after the server has been away.
    static let rest = Duration.seconds(1)

    struct Answer<T: Sendable>: Sendable { let row: T? }

    private enum Outcome<T: Sendable> {
        case answered(Answer<T>)
        /// Somebody else asks, or nobody may.
        case unavailable
        /// The connection has to be restored.
        case broken
    }

    private struct State {
        var connection: PostgreSQLConnection?
        /// ``ConnectionSource/writers`` before it was made.
        var writers = 0
        /// The time in which nobody asks, because the server was slow or away.
        var rest = GrowingRest(shortest: .milliseconds(16), longest: CallerConnection.rest)
        /// True while a thread of the pool makes the connection ready.
        var isBeingRestored = false
    }

    private let state = Mutex(State())
    private let isClosed = Atomic(false)
    private let source: ConnectionSource
    private let pool: ReaderPool

    /// - Parameter pool: its threads connect, and wait for answers that are late.
    init(_ source: ConnectionSource, restoredBy pool: ReaderPool) {
        (self.source, self.pool) = (source, pool)
    }

    /// Returns the answer with the first row that `query` finds; nil: ask the pool. Blocks for a moment.
    ///
    /// - Throws: the failure of the statement, and what `row` throws.
    func ask<T: Sendable>(_ query: SQLQuery, _ row: @Sendable (any SQLRow) throws -> T) throws -> Answer<T>? {
        let outcome = try state.withLockIfAvailable { state -> Outcome<T> in
            guard !isClosed.load(ordering: .acquiring), !state.isBeingRestored, state.rest.end <= .now else {
                return .unavailable
            }
            if state.writers != source.writers { state.connection = nil }
            guard let connection = state.connection else {
                state.isBeingRestored = true
                return .broken
            }
            do {
                guard let results = try connection.exchange([ServerCommand(query)], within: Self.patience) else {
                    state.rest.begin(at: .now)
                    state.isBeingRestored = true
                    return .broken
                }
                guard state.writers == source.writers else { return .unavailable }
                var found: T?
                try results[0].forEachRow {
                    found = try row($0)
                    return false
                }
                return .answered(Answer(row: found))
            } catch let failure as ServerFailure where failure.isPassing {
                state.connection = nil
                return .unavailable
            }
        }
        switch outcome {
        case .answered(let answer): return answer
        case .broken: restoreSoon()
        case .unavailable, nil: break
        }
        return nil
    }

    /// Gives the connection up, and makes no other. Does not wait for a thread that is making it ready: that one then
    /// gives it up.
    func close() {
        isClosed.store(true, ordering: .releasing)
        _ = state.withLockIfAvailable { $0.connection = nil }
    }

    private func restoreSoon() {
        pool.submit(
            ReaderPool.Job(
                run: { [self] _ in restore() },
                refuse: { [self] _ in state.withLock { $0.isBeingRestored = false } }))
    }

    /// Connects, or waits for an answer that nobody needs any more. Blocks.
    private func restore() {
        state.withLock { state in
            state.isBeingRestored = false
            defer { if isClosed.load(ordering: .acquiring) { state.connection = nil } }
            if isClosed.load(ordering: .acquiring) { return }
            do {
                if let connection = state.connection {
                    try connection.discardAnswers()
                } else {
                    state.writers = source.writers
                    state.connection = try source.connection(for: .reader)
                }
            } catch {
                if state.connection?.isOverdue == true { source.examineServerOfWriter() }
                state.connection = nil
                state.rest.beginLongest(at: .now)
            }
        }
    }
}

/// Rests of growing length: the first is the shortest, and each is twice as long as the one before, up to the longest,
/// if that one ended less than ten times its length ago. So they take about a tenth of the time at most, until they are
/// as long as they may be.
struct GrowingRest: Sendable {
    private let shortest: Duration
    private let longest: Duration
    private var length: Duration?
    /// The end of the last rest.
    private(set) var end = ContinuousClock.now

    init(shortest: Duration, longest: Duration) { (self.shortest, self.longest) = (shortest, longest) }

    mutating func begin(at now: ContinuousClock.Instant) {
        let next = length.flatMap { now < end + $0 * 10 ? min($0 * 2, longest) : nil } ?? shortest
        (length, end) = (next, now + next)
    }

    mutating func beginLongest(at now: ContinuousClock.Instant) { (length, end) = (longest, now + longest) }
}
