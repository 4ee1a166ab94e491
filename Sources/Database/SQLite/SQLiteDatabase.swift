import Foundation
import GRDB
import Synchronization
import TracingSpans

/// The SQLite driver, through GRDB: one writer with group commit, a pool of snapshot readers.
package final class SQLiteDatabase: GraphDatabase {
    /// Requests that share one transaction and one fsync.
    package static let commitGroupSize = 256
    /// Write requests that may wait for the writer.
    package static let commitQueueLength = 16_384

    let pool: DatabasePool
    let path: String
    let caches = StatementCaches()
    package let health = StorageHealth()
    /// Lives as long as ``pool``, whose writer it watches; nil for bulk writes.
    let checkpointer: LogCheckpointer?
    private let merger: TextIndexMerger
    private let queue = GroupCommitQueue<WriteRequest>(capacity: SQLiteDatabase.commitQueueLength)
    private let observers = Mutex<[@Sendable (CommittedGroup) -> Void]>([])
    private let clock: GraphClock
    private let tracer = SpanTracer.ambient
    package let hooks: (any DatabaseHooks)?
    package var expiryTime: Int64 { clock.expiry() }

    /// Opens or creates `path` and brings its schema up to date.
    ///
    /// - Parameters:
    ///   - schema: the tables and indexes of all modules that use the database.
    ///   - hooks: the work of these modules in transactions.
    ///   - purpose: the workload for which memory and the write-ahead log are sized.
    ///   - clock: milliseconds since 1970.
    ///   - times: the times of a clock that has more than one; nil: `clock` gives all of them.
    ///   - observingStatements: called with the start of every statement that SQLite executes, including those of its
    ///     own full-text indexes. Nil costs nothing.
    package init(
        path: String, schema: DatabaseSchema, hooks: (any DatabaseHooks)? = nil,
        purpose: Purpose = .serving,
        clock: @escaping @Sendable () -> Int64 = SystemClock.milliseconds, times: GraphClock? = nil,
        observingStatements observe: (@Sendable () -> Void)? = nil
    ) throws {
        Self.assertTuning()
        self.path = path
        self.hooks = hooks
        self.clock = times ?? GraphClock(clock)
        merger = TextIndexMerger(schema.mergedIndex)
        do {
            pool = try DatabasePool(path: path, configuration: Self.configuration(observe))
            try pool.writeWithoutTransaction { try $0.execute(sql: purpose.writerSettings) }
            try SchemaMigrator(schema: schema).migrate(pool)
            let checkpointer = purpose == .serving ? try LogCheckpointer(path: path) : nil
            if let checkpointer { pool.writeWithoutTransaction { checkpointer.watch($0) } }
            self.checkpointer = checkpointer
        } catch let error as EngineError {
            throw Self.failure(error, opening: path)
        }
    }

    /// Copies the write-ahead log back, so that the database is one file again unless another process uses it, and
    /// closes.
    package func close() throws {
        try checkpointer?.close()
        try pool.writeWithoutTransaction { database in
            do {
                try database.checkpoint(.truncate)
            } catch let error as EngineError where error.resultCode == .SQLITE_BUSY {
                // Another process is copying, for which SQLite does not wait, or needs the log as it is.
            }
        }
        try pool.close()
    }

    /// Write requests that wait for the writer.
    package var waitingWrites: Int { queue.waitingCount }

    package func observe(_ observer: @escaping @Sendable (CommittedGroup) -> Void) {
        observers.withLock { $0.append(observer) }
    }

    package func read<T: Sendable>(_ body: @escaping @Sendable (any SQLReader) throws -> T) async throws -> T {
        do {
            return try await pool.read { [caches] in try body(SQLiteReader($0, caches)) }
        } catch let error as EngineError {
            throw failure(error)
        }
    }

    package func write<T: Sendable>(_ body: @escaping @Sendable (any GraphTransaction) throws -> T) async throws -> T {
        guard let companion = WriteCompanions.current, let joined = companion.joined(to: body) else {
            return try await submit(body)
        }
        let value = try await submit(joined)
        companion.noteCommit()
        return value
    }

    /// - Parameter isTraced: true if a span already stands for the transaction.
    func submit<T: Sendable>(
        _ body: @escaping @Sendable (any GraphTransaction) throws -> T, isTraced: Bool = false
    ) async throws -> T {
        if let tracer, !isTraced, SpanTracer.span != nil { return try await traced(by: tracer, body) }
        return try await withCheckedThrowingContinuation { continuation in
            let request = WriteRequest(body, continuation) { [self] in failure($0) }
            switch queue.submit(request) {
            case .full: request.refuse(DatabaseError.busy)
            case .queued: break
            case .startDrain: pool.asyncWriteWithoutTransaction { [self] in drain($0) }
            }
        }
    }

    /// Commits group after group until nobody waits. Runs on GRDB's writer queue.
    private func drain(_ database: Database) {
        while true {
            let group = queue.nextGroup(limit: Self.commitGroupSize)
            if group.isEmpty { return }
            for answer in commit(group, on: database) { answer() }
            merger.step(on: SQLiteReader(database, caches))
        }
    }

    /// Commits a group. Returns the work that is left: to resume each caller with its result.
    func commit(_ group: [WriteRequest], on database: Database) -> [() -> Void] {
        do {
            let (transaction, outcomes) = try perform(group, on: database)
            // If the only request of a group failed, it has undone the transaction.
            if database.isInsideTransaction {
                try transaction.finish()
                try database.execute(sql: "COMMIT")
                health.noteCommit()
                merger.hasIndexed(transaction.documentsIndexed)
            }
            for observe in observers.withLock({ $0 }) { observe(transaction.news) }
            return outcomes.map(\.committed)
        } catch {
            let failure = failure(error, on: database)
            if database.isInsideTransaction { try? database.execute(sql: "ROLLBACK") }
            return group.map { request in { request.refuse(failure) } }
        }
    }

    /// Runs the requests of a group. Few fail, so they have no savepoints, in whose journals SQLite would keep the
    /// former content of every page that a request touches. If one fails, the transaction is undone and the group is
    /// run again with savepoints. Throws only if the engine failed, not a request; that ends the group.
    private func perform(
        _ group: [WriteRequest], on database: Database
    ) throws -> (SQLiteTransaction, [Outcome]) {
        let transaction = try begin(on: database)
        var outcomes: [Outcome] = []
        outcomes.reserveCapacity(group.count)
        for request in group {
            let outcome = try run(request, in: transaction)
            outcomes.append(outcome)
            if outcome.error == nil { continue }
            try database.execute(sql: "ROLLBACK")
            if group.count > 1 { return try performApart(group, on: database) }
            transaction.rewind()
        }
        return (transaction, outcomes)
    }

    /// Runs each request in a savepoint of its own.
    private func performApart(
        _ group: [WriteRequest], on database: Database
    ) throws -> (SQLiteTransaction, [Outcome]) {
        let transaction = try begin(on: database)
        let outcomes = try group.map { request in
            try transaction.reader.run("SAVEPOINT request")
            let outcome = try run(request, in: transaction)
            if outcome.error != nil {
                try transaction.reader.run("ROLLBACK TO SAVEPOINT request")
                transaction.rewind()
            }
            try transaction.reader.run("RELEASE SAVEPOINT request")
            return outcome
        }
        return (transaction, outcomes)
    }

    private func begin(on database: Database) throws -> SQLiteTransaction {
        try database.execute(sql: "BEGIN IMMEDIATE")
        return try SQLiteTransaction(reader: SQLiteReader(database, caches), clock: clock, hooks: hooks)
    }

    /// Runs a request. An error on which SQLite undoes the whole transaction counts as one of the engine, even if the
    /// request hides it.
    private func run(_ request: WriteRequest, in transaction: SQLiteTransaction) throws -> Outcome {
        transaction.setMark()
        let outcome = request.run(transaction)
        if let engine = outcome.error as? EngineError, engine.endsGroup { throw engine }
        guard transaction.database.isInsideTransaction else {
            let cause = outcome.error.map { "\($0)" } ?? "an error that the request has swallowed"
            throw DatabaseError.storage(detail: "the engine has undone the transaction: \(cause)")
        }
        return outcome
    }
}

extension SQLiteDatabase {
    package enum Purpose: Sendable {
        case serving
        /// Large transactions. All pages that a transaction touches stay in memory until it commits. Pages stay longer
        /// in the write-ahead log before they are copied, because the next transaction will touch them again.
        case bulkWrites

        fileprivate var writerSettings: String {
            switch self {
            case .serving: "PRAGMA synchronous = FULL"
            case .bulkWrites:
                "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 65536; PRAGMA cache_size = -524288"
            }
        }
    }

    static let readers = 4

    private static func configuration(_ observe: (@Sendable () -> Void)?) -> Configuration {
        var configuration = Configuration()
        configuration.label = "graphd"
        configuration.maximumReaderCount = readers
        configuration.busyMode = .timeout(15)
        configuration.persistentReadOnlyConnections = true
        configuration.prepareDatabase { database in
            try database.execute(
                sql: """
                    PRAGMA cache_size = -65536;
                    PRAGMA mmap_size = 1073741824;
                    PRAGMA temp_store = MEMORY;
                    """
            )
            if let observe { database.trace(options: .statement) { _ in observe() } }
        }
        return configuration
    }
}

/// One caller's part of a group: its statements, and a way to refuse it without running them.
struct WriteRequest: Sendable {
    let run: @Sendable (SQLiteTransaction) -> Outcome
    let refuse: @Sendable (any Error) -> Void

    init<T: Sendable>(
        _ body: @escaping @Sendable (any GraphTransaction) throws -> T, _ caller: CheckedContinuation<T, any Error>,
        failure: @escaping @Sendable (EngineError) -> DatabaseError
    ) {
        run = { transaction in
            do {
                let value = try body(transaction)
                return Outcome(error: nil) { caller.resume(returning: value) }
            } catch {
                return Outcome(error: error) {
                    // Errors of the driver's library must not reach callers.
                    caller.resume(throwing: (error as? EngineError).map(failure) ?? error)
                }
            }
        }
        refuse = { caller.resume(throwing: $0) }
    }
}

/// The outcome of a request, reported to its caller after the group has been committed.
struct Outcome {
    let error: (any Error)?
    let committed: () -> Void
}

extension EngineError {
    /// Errors of the engine or the disk, as opposed to a constraint that one request has violated.
    fileprivate var endsGroup: Bool {
        switch resultCode {
        case .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_RANGE, .SQLITE_TOOBIG: false
        default: true
        }
    }
}
