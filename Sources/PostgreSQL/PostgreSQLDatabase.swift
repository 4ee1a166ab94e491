import Database
import Synchronization
import TracingSpans

/// The PostgreSQL driver, through libpq: one writer with group commit, a pool of snapshot readers.
///
/// Several nodes may have one database open. Each commits its writes in groups, and the sequencer row makes the groups
/// of all nodes follow one another. A lost connection costs time, not answers: a commit whose outcome is unknown is
/// looked up on the next connection.
package final class PostgreSQLDatabase: GroupCommitDatabase, OpenedDatabase {
    package let health = StorageHealth()
    package let tracer = SpanTracer.ambient
    package let hooks: (any DatabaseHooks)?
    private let clock: GraphClock
    private let source: ConnectionSource
    private let writer: GroupWriter
    private let readers: ReaderPool
    let callers: CallerConnection
    private let notices: CommitNotices
    private let observers = CommitObservers()

    /// Opens the database at `address` and brings its schema up to date. Blocks.
    ///
    /// - Parameters:
    ///   - options: connections, time-outs, and whether a synchronous standby is required.
    ///   - schema: the tables and indexes of all modules that use the database.
    ///   - hooks: the work of these modules in transactions.
    ///   - clock: milliseconds since 1970.
    ///   - times: the times of a clock that has more than one; nil: `clock` gives all of them.
    ///   - observingRoundTrips: called once for each round trip to the server that somebody waits for.
    /// - Throws: ``DatabaseError``, whose detail says in one sentence what the server lacks.
    package convenience init(
        address: PostgreSQLAddress, options: PostgreSQLOptions = PostgreSQLOptions(), schema: DatabaseSchema,
        hooks: (any DatabaseHooks)? = nil,
        clock: @escaping @Sendable () -> Int64 = SystemClock.milliseconds, times: GraphClock? = nil,
        observingRoundTrips observe: @escaping @Sendable () -> Void = {}
    ) throws {
        try self.init(
            address: address, options: options, schema: schema, hooks: hooks, times: times ?? GraphClock(clock),
            mechanisms: WriteMechanisms(), observingRoundTrips: observe)
    }

    init(
        address: PostgreSQLAddress, options: PostgreSQLOptions, schema: DatabaseSchema,
        hooks: (any DatabaseHooks)?, times: GraphClock, mechanisms: WriteMechanisms,
        observingRoundTrips observe: @escaping @Sendable () -> Void
    ) throws {
        options.timeouts.assertConsistency()
        self.hooks = hooks
        clock = times
        source = ConnectionSource(address: address, timeouts: options.timeouts, noteRoundTrip: observe)
        writer = GroupWriter(source, health: health)
        readers = ReaderPool(source, count: options.readers, standbyReads: options.standbyReads)
        callers = CallerConnection(source, restoredBy: readers)
        notices = CommitNotices(source)
        do {
            try SchemaInstaller(schema, options).install(source, times)
        } catch let failure as ServerFailure {
            throw failure.databaseError(notedIn: health)
        }
        source.whenWriterMustBeExamined { [weak writer] in writer?.examineServer() }
        if let standbyReads = options.standbyReads { observers.add(standbyReads.note) }
        writer.start { [source, writer, observers, health, notices] in
            GroupCommitter(
                source, clock: times, mechanisms: mechanisms, health: health, isClosed: { writer.hasClosed },
                begin: { connection, queries in
                    try ServerTransaction(
                        connection, clock: times, hooks: hooks, mechanisms: mechanisms, notice: notices.sending,
                        readingAhead: queries)
                },
                lateComers: writer.lateComers, observe: observers.note)
        }
    }

    deinit { close() }

    /// Commits the group that is under way, refuses what waits, and closes all connections. Blocks.
    package func close() {
        writer.close()
        readers.close()
        callers.close()
        notices.close()
    }

    package var expiryTime: Int64 { clock.expiry() }

    package var isShared: Bool { true }

    package func readNow<T>(_ body: (any SQLReader) throws -> T) throws -> T {
        do { return try ServerReader(source).read(body) } catch { throw translate(error) }
    }

    /// Write requests that wait for the writer.
    package var waitingWrites: Int { writer.waitingCount }

    package func observe(_ observer: @escaping @Sendable (CommittedGroup) -> Void) { observers.add(observer) }

    package func analyze() async {
        for sql in (try? await read { try $0.analyzeStatements }) ?? [] { try? await read { try $0.run(sql) } }
    }

    package func awaitOthers(atMost limit: Duration) async { await notices.wait(atMost: limit) }

    package func openReaders() throws {
        do { try readers.openAll() } catch { throw translate(error) }
    }

    package func read<T: Sendable>(_ body: @escaping @Sendable (any SQLReader) throws -> T) async throws -> T {
        do { return try await readers.read(body) } catch { throw translate(error) }
    }

    package func first<T: Sendable>(
        _ query: SQLQuery, isAlone: Bool, _ row: @escaping @Sendable (any SQLRow) throws -> T
    ) async throws -> T? {
        do {
            if isAlone, let answer = try callers.ask(query, row) { return answer.row }
            return try await readers.read(onSnapshot: false) { try $0.first(query.sql, query.arguments, row) }
        } catch {
            throw translate(error)
        }
    }

    /// A user without the right to see more (`pg_read_all_stats`) is told of all standbys, whatever they are.
    package func synchronousStandbys() async throws -> Int? {
        let count = """
            SELECT count(*) FROM pg_stat_replication WHERE COALESCE(sync_state, 'sync') IN ('sync', 'quorum')
            """
        return try await read { try $0.rows(count, []) { Int($0.integer(0)) }.first }
    }

    package static var readsAhead: Bool { true }

    package func enqueue(_ request: WriteRequest<ServerTransaction>) { writer.submit(request) }

    /// References between rows are checked when the transaction ends. `outgrows` makes no difference: an undone
    /// transaction costs the server nothing.
    package func writeBulk<T: Sendable>(
        outgrows _: Bool, _ body: @escaping @Sendable (any GraphTransaction) throws -> T
    ) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            writer.submitBulk(WriteRequest(body, continuation) { [self] in translate($0) })
        }
    }

    package func translate(_ error: any Error) -> any Error {
        (error as? ServerFailure)?.databaseError(notedIn: health) ?? error
    }
}

/// Choices of the operator.
package struct PostgreSQLOptions: Sendable {
    /// Connections for reads.
    package var readers = 4
    /// Refuses a server that commits without waiting for a standby.
    package var requiresStandby = false
    /// Opens a database that ``RestorationTarget`` has marked.
    package var isBeingRestored = false
    /// The lease without which the tables of an older version are not changed; nil: none is asked for.
    package var lease: ServingLease?
    /// When a standby may be read; nil: never.
    package var standbyReads: StandbyReads?
    package var timeouts = PostgreSQLTimeouts()

    package init() {}

    /// For bulk writes, which compute within their transactions for longer than a server's own nodes may pause there,
    /// and send so many statements at once that a slow server is silent for minutes, although each of them is short.
    package static var bulkWrites: PostgreSQLOptions {
        var options = PostgreSQLOptions()
        options.timeouts.idleWriter = .seconds(60)
        options.timeouts.answer = .seconds(600)
        return options
    }
}

/// The observers of commits.
private final class CommitObservers: Sendable {
    private let observers = Mutex<[@Sendable (CommittedGroup) -> Void]>([])

    func add(_ observer: @escaping @Sendable (CommittedGroup) -> Void) { observers.withLock { $0.append(observer) } }

    func note(_ news: CommittedGroup) {
        for observe in observers.withLock({ $0 }) { observe(news) }
    }
}
