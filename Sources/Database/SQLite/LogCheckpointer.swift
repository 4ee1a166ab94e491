import Dispatch
import GRDB
import GRDBSQLite
import Synchronization

/// Copies the write-ahead log back into the database beside the writer, on a connection of its own.
///
/// SQLite's automatic checkpoint runs within the commit that finds 1,000 pages in the log, and every writer waits for
/// it. Here no writer waits. But only a log that was copied completely is written from its start again, which may not
/// happen while commits go on. The writer therefore copies a long log after all; little is left to copy by then.
///
/// A reader looks for each page in the log first, unless all of the log has been copied. A short log is therefore
/// copied, too, a while after a commit.
final class LogCheckpointer: Sendable {
    /// Pages in the log that start a checkpoint beside the writer.
    static let pagesToCopy = 1_000
    /// Pages of the log at which the writer makes a checkpoint itself.
    static let pagesAtMost = 4_096

    private struct State {
        var isRunning = false
        var isPlanned = false
        var isClosed = false
        /// Pages of the log after the last commit, the number of them that were copied, and their number at the start
        /// of the last attempt. A reader of an old snapshot may have kept that attempt from copying any.
        var pages = 0
        var copied = 0
        var attempted = 0
        /// Number of times that the log was seen to be written from its start again.
        var restarts = 0

        var uncopied: Int { pages - copied }
        var hasGrown: Bool { pages - attempted >= LogCheckpointer.pagesToCopy }

        /// Records the length of the log after a commit. A commit adds at least one page, so no growth means a log that
        /// was begun anew. One begun anew that is longer at once is not recognised: some of it counts as copied until
        /// the next copy, which is planned all the same.
        mutating func note(logOf count: Int) {
            if count <= pages {
                restarts += 1
                (copied, attempted) = (0, 0)
            }
            pages = count
        }

        /// Returns whether to plan a copy; after a true, it counts as planned.
        mutating func plansCopy() -> Bool {
            if isPlanned || isClosed || uncopied <= 0 { return false }
            isPlanned = true
            return true
        }
    }

    private enum Deed { case nothing, copy, leaveToWriter }

    /// Delay after which a commit's pages are copied, however few.
    private static let pause = DispatchTimeInterval.seconds(1)

    private let connection: DatabaseQueue
    private let state = Mutex(State())

    init(path: String) throws {
        var configuration = Configuration()
        configuration.label = "graphd.checkpoints"
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        connection = try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Takes over from the automatic checkpoint of `writer`, which must not commit any more once this object is gone.
    func watch(_ writer: Database) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        let hook: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafePointer<CChar>?, CInt) -> CInt = {
            context, writer, name, pages in
            guard let context else { return SQLITE_OK }
            let checkpointer = Unmanaged<LogCheckpointer>.fromOpaque(context).takeUnretainedValue()
            if checkpointer.isForWriter(logOf: Int(pages)) {
                // A failure concerns the copy, like one of the automatic checkpoint: the commit stands, and the next
                // one tries again.
                sqlite3_wal_checkpoint_v2(writer, name, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
            }
            return SQLITE_OK
        }
        sqlite3_wal_hook(writer.sqliteConnection, hook, context)
    }

    /// Records that a commit has left the log at `pages`. Returns whether the writer has to copy them.
    private func isForWriter(logOf pages: Int) -> Bool {
        let (deed, isPlanned): (Deed, Bool) = state.withLock { state in
            state.note(logOf: pages)
            // The end of the running checkpoint plans the next one.
            if state.isRunning { return (.nothing, false) }
            if state.hasGrown, pages < Self.pagesAtMost { return (.copy, false) }
            guard state.hasGrown else { return (.nothing, state.plansCopy()) }
            state.attempted = pages
            // The planned copy is for pages that a reader keeps the writer from copying.
            return (.leaveToWriter, state.plansCopy())
        }
        if isPlanned { plan() }
        if deed == .copy { copy() }
        return deed == .leaveToWriter
    }

    private func plan() {
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.pause) { [weak self] in
            self?.state.withLock { $0.isPlanned = false }
            self?.copy()
        }
    }

    /// Begins a checkpoint, if there is something to copy and none is under way. The next one copies the rest: pages
    /// that were written meanwhile, or that a reader still needed.
    func copy() {
        state.withLock { state in
            if state.isRunning || state.isClosed || state.uncopied <= 0 { return }
            state.isRunning = true
            state.attempted = state.pages
            let restarts = state.restarts
            // Under the lock, so that it comes before the end of the connection.
            connection.asyncWriteWithoutTransaction { [self] database in
                let copied = try? database.checkpoint(.passive).checkpointedFrameCount
                let isLeft = self.state.withLock { state in
                    state.isRunning = false
                    if let copied, state.restarts == restarts { state.copied = copied }
                    return state.plansCopy()
                }
                if isLeft { plan() }
            }
        }
    }

    /// Runs `body` once the requested checkpoints have ended; the next one waits for it.
    func between(_ body: @escaping @Sendable () -> Void) {
        connection.asyncWriteWithoutTransaction { _ in body() }
    }

    /// Waits for a checkpoint that is under way.
    func close() throws {
        state.withLock { $0.isClosed = true }
        try connection.close()
    }
}
