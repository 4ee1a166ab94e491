/// The connection of one reader thread, opened again after it was lost.
final class ReaderSession {
    private let source: ConnectionSource
    private let isClosed: () -> Bool
    private var connection: PostgreSQLConnection?

    init(_ source: ConnectionSource, isClosed: @escaping () -> Bool) {
        self.source = source
        self.isClosed = isClosed
    }

    /// Connects now, instead of at the first use.
    func open() throws { connection = try source.connection(for: .reader) }

    /// Sends the first commands of a snapshot. They have no effect, so they are sent again on another connection while
    /// the patience of the caller lasts.
    func exchangeFirst(_ commands: [ServerCommand]) throws -> [ServerResult] {
        try Retry(patience: source.timeouts.patience, isClosed: isClosed).run { try exchange(commands) }
    }

    func exchange(_ commands: [ServerCommand]) throws -> [ServerResult] {
        do {
            let connection = try connection ?? source.connection(for: .reader)
            self.connection = connection
            return try connection.exchange(commands)
        } catch let failure as ServerFailure where failure.isPassing {
            connection = nil
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
