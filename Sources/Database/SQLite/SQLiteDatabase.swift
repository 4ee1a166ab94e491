import Foundation
import GRDB
import Synchronization
import TracingSpans

/// The SQLite driver, through GRDB: one writer with group commit, a pool of snapshot readers.
package final class SQLiteDatabase: GroupCommitDatabase, OpenedDatabase {
    let pool: DatabasePool
    let path: String
    let caches = StatementCaches()
    package let health = StorageHealth()
    /// Lives as long as ``pool``, whose writer it watches; nil for bulk writes.
    let checkpointer: LogCheckpointer?
    private let merger: TextIndexMerger
    private let queue = GroupCommitQueue<WriteRequest<SQLiteTransaction>>(capacity: SQLiteDatabase.commitQueueLength)
    private let observers = Mutex<[@Sendable (CommittedGroup) -> Void]>([])
    private let clock: GraphClock
    package let tracer = SpanTracer.ambient
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

    package func readNow<T>(_ body: (any SQLReader) throws -> T) throws -> T {
        do { return try pool.read { try body(SQLiteReader($0, caches)) } } catch let error as EngineError {
            throw failure(error)
        }
    }

    package func enqueue(_ request: WriteRequest<SQLiteTransaction>) {
        switch queue.submit(request) {
        case .full: request.refuse(DatabaseError.busy)
        case .queued: break
        case .startDrain: pool.asyncWriteWithoutTransaction { [self] in drain($0) }
        }
    }

    package func translate(_ error: any Error) -> any Error { (error as? EngineError).map { failure($0) } ?? error }

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
    func commit(_ group: [WriteRequest<SQLiteTransaction>], on database: Database) -> [() -> Void] {
        do {
            let (transaction, outcomes) = try GroupRun.perform(group) { try begin(on: database) }
            // If the only request of a group failed, it has undone the transaction.
            if database.isInsideTransaction {
                try transaction.finish()
                try database.execute(sql: "COMMIT")
                health.noteCommit()
                merger.hasIndexed(transaction.documentsIndexed)
            }
            for observe in observers.withLock({ $0 }) { observe(transaction.ledger.news) }
            return outcomes.map(\.committed)
        } catch {
            let failure = failure(error, on: database)
            if database.isInsideTransaction { try? database.execute(sql: "ROLLBACK") }
            return group.map { request in { request.refuse(failure) } }
        }
    }

    private func begin(on database: Database) throws -> SQLiteTransaction {
        try database.execute(sql: "BEGIN IMMEDIATE")
        return try SQLiteTransaction(reader: SQLiteReader(database, caches), clock: clock, hooks: hooks)
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
