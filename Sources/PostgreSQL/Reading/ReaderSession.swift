/// The connection of one reader thread, opened again after it was lost.
final class ReaderSession {
    private let source: ConnectionSource
    private let isClosed: () -> Bool
    private var connection: PostgreSQLConnection?
    /// The end of the present caller's patience.
    private var deadline: ContinuousClock.Instant
    /// The failure of the last attempt; nil: it succeeded.
    private(set) var failure: ServerFailure?

    init(_ source: ConnectionSource, isClosed: @escaping () -> Bool) {
        self.source = source
        self.isClosed = isClosed
        deadline = .now + source.timeouts.patience
    }

    /// Prepares for a caller who has waited since `arrival`.
    ///
    /// - Throws: the failure of the last attempt, if the server was away then and the caller has waited long enough.
    func begin(for arrival: ContinuousClock.Instant) throws {
        deadline = arrival + source.timeouts.patience
        if let failure, deadline < .now { throw failure }
    }

    /// Connects now, instead of at the first use.
    func open() throws {
        connection = try Retry(until: deadline, isClosed: isClosed).run { try source.connection(for: .reader) }
    }

    /// Sends the first commands of a snapshot. They have no effect, so they are sent again on another connection while
    /// the patience of the caller lasts.
    func exchangeFirst(_ commands: [ServerCommand]) throws -> [ServerResult] {
        try Retry(until: deadline, isClosed: isClosed).run { try exchange(commands) }
    }

    func exchange(_ commands: [ServerCommand]) throws -> [ServerResult] {
        do {
            let connection = try connection ?? source.connection(for: .reader)
            self.connection = connection
            let results = try connection.exchange(commands)
            failure = nil
            return results
        } catch let failure as ServerFailure where failure.isPassing {
            connection = nil
            self.failure = failure
            throw failure
        } catch {
            // The failed statement has aborted the transaction.
            post([ServerCommand("ROLLBACK")])
            throw error
        }
    }

    func post(_ commands: [ServerCommand]) {
        do { try connection?.post(commands) } catch { connection = nil }
    }
}
