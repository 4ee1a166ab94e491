import Database

/// The connection of one reader thread, opened again after it was lost.
final class ReaderSession {
    private static let latestChange = ServerCommand(LogLook.latestQuery)

    private let source: ConnectionSource
    private let standbyReads: StandbyReads?
    private let isClosed: () -> Bool
    private var connection: PostgreSQLConnection?
    /// True if the connection was made while a standby might be read.
    private var isAny = false
    /// Number of servers that lacked something, or could not be reached, while a standby might be read.
    private var passedOver = 0
    /// ``ConnectionSource/writers`` before it was made.
    private var writers = 0
    /// The end of the present caller's patience.
    private var deadline: ContinuousClock.Instant
    /// The failure of the last attempt; nil: it succeeded.
    private(set) var failure: ServerFailure?

    init(_ source: ConnectionSource, _ standbyReads: StandbyReads? = nil, isClosed: @escaping () -> Bool) {
        self.source = source
        self.standbyReads = standbyReads
        self.isClosed = isClosed
        deadline = .now + source.timeouts.patience
    }

    /// Prepares for a caller who has waited since `arrival`.
    ///
    /// - Throws: the failure of the last attempt, if the server was away then and the caller has waited long enough.
    func begin(for arrival: ContinuousClock.Instant) throws {
        deadline = arrival + source.timeouts.patience
        if let failure, deadline < .now { throw failure }
        if isAny, standbyReads?.required == nil { disconnect() }
    }

    /// Connects now, instead of at the first use.
    func open() throws {
        _ = try Retry(until: deadline, isClosed: isClosed).run { try connected() }
    }

    /// Begins a snapshot, if there is to be one, and sends the first commands. They have no effect, so they are sent
    /// again on another connection while the patience of the caller lasts.
    ///
    /// - Returns: the results of `commands`.
    func exchangeFirst(_ begin: ServerCommand?, _ commands: [ServerCommand]) throws -> ArraySlice<ServerResult> {
        let beginning = [begin].compactMap(\.self)
        return try Retry(until: deadline, isClosed: isClosed).run {
            if writers != source.writers { disconnect() }
            _ = try connected()
            // While the writer finds no primary, a server that says it is one may be a former one.
            guard isAny || standbyReads?.required != nil else {
                let results = try exchange(beginning + commands)
                try requireServerOfWriter()
                return results.dropFirst(beginning.count)
            }
            let results = try exchange(beginning + [Self.latestChange] + commands)
            try requireKnown(in: results[beginning.count])
            return results.dropFirst(beginning.count + 1)
        }
    }

    /// Throws a passing failure if the writer has connected anew since the connection was made, perhaps to another
    /// server.
    private func requireServerOfWriter() throws {
        if writers == source.writers { return }
        disconnect()
        throw ServerFailure.connectionLost(detail: "the writer has connected to \(source.address) anew")
    }

    /// Throws a passing failure if the snapshot lacks something that this process knows of. The next server is tried
    /// then.
    private func requireKnown(in latest: ServerResult) throws {
        var latestChange: Int64 = 0
        latest.forEachRow { row in
            latestChange = row.integer(0)
            return false
        }
        if let required = standbyReads?.required, latestChange >= required { return }
        disconnect()
        passedOver += 1
        throw ServerFailure.connectionLost(detail: "no server of \(source.address) holds what is known here")
    }

    private func connected() throws -> PostgreSQLConnection {
        if let connection { return connection }
        let mayBeStandby = standbyReads?.required != nil
        writers = source.writers
        let new = try mayBeStandby ? anyConnection() : source.connection(for: .reader, until: deadline)
        (connection, isAny) = (new, mayBeStandby)
        return new
    }

    private func anyConnection() throws -> PostgreSQLConnection {
        do {
            return try source.anyConnection(for: .reader, passingOver: passedOver, until: deadline)
        } catch {
            // A silent host may have taken all of this caller's time.
            passedOver += 1
            throw error
        }
    }

    private func disconnect() { (connection, isAny) = (nil, false) }

    func exchange(_ commands: [ServerCommand]) throws -> [ServerResult] {
        do {
            let results = try connected().exchange(commands)
            failure = nil
            return results
        } catch let failure as ServerFailure where failure.isPassing {
            if let connection, connection.isOverdue, connection.host == source.hostOfReaders {
                source.examineServerOfWriter()
            }
            disconnect()
            self.failure = failure
            throw failure
        } catch {
            // The failed statement has aborted the transaction.
            post([ServerCommand("ROLLBACK")])
            throw error
        }
    }

    func post(_ commands: [ServerCommand]) {
        do { try connection?.post(commands) } catch { disconnect() }
    }
}
