import Dispatch
import GRDB
import GRDBSQLite
import Synchronization

/// Copies the write-ahead log back into the database beside the writer, on a connection of its own.
///
/// SQLite's automatic checkpoint runs within the commit that finds 1,000 pages in the log, and everybody who writes
/// waits for it. Here they do not; but only a log that has been copied whole is written from its start again, which may
/// not come about while commits go on. So a log that has become long is copied by the writer after all, which has
/// little left to copy.
///
/// Who reads looks for each page in the log first, unless all of the log has been copied. So what little there is is
/// copied, too, a while after a commit.
final class LogCheckpointer: Sendable {
    /// Pages of the log that are worth a checkpoint beside the writer.
    static let pagesToCopy = 1_000
    /// Pages of the log at which the writer makes a checkpoint itself.
    static let pagesAtMost = 4_096

    private struct State {
        var isRunning = false
        var isPlanned = false
        var isClosed = false
        /// Pages of the log after the last commit, how many of them have been copied, and how many there were when the
        /// last attempt at it began, which a reader of an old snapshot may have kept from copying any.
        var pages = 0
        var copied = 0
        var attempted = 0
        /// How often the log has been seen to be written from its start again.
        var restarts = 0

        var uncopied: Int { pages - copied }
        var hasGrown: Bool { pages - attempted >= LogCheckpointer.pagesToCopy }

        /// A commit has left so many pages. One adds at least one page, so no more than before means a log begun
        /// anew. One begun anew that has more at once is not told apart: that some of it counts as copied lasts until
        /// the next copy, which is planned all the same.
        mutating func note(logOf count: Int) {
            if count <= pages {
                restarts += 1
                (copied, attempted) = (0, 0)
            }
            pages = count
        }

        /// Whether a copy is to be planned. From then on it is.
        mutating func plansCopy() -> Bool {
            if isPlanned || isClosed || uncopied <= 0 { return false }
            isPlanned = true
            return true
        }
    }

    private enum Deed { case nothing, copy, leaveToWriter }

    /// After which a commit's pages are copied, however few.
    private static let pause = DispatchTimeInterval.seconds(1)

    private let connection: DatabaseQueue
    private let state = Mutex(State())

    init(path: String) throws {
        var configuration = Configuration()
        configuration.label = "graphd.checkpoints"
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        connection = try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Takes over from the automatic checkpoint of `writer`, which must not commit any more once this is gone.
    func watch(_ writer: Database) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        let hook: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafePointer<CChar>?, CInt) -> CInt = {
            context, writer, name, pages in
            guard let context else { return SQLITE_OK }
            let checkpointer = Unmanaged<LogCheckpointer>.fromOpaque(context).takeUnretainedValue()
            if checkpointer.isForWriter(logOf: Int(pages)) {
                // As with the automatic one, a failure is that of a copy: the commit stands, and the next one tries
                // again.
                sqlite3_wal_checkpoint_v2(writer, name, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
            }
            return SQLITE_OK
        }
        sqlite3_wal_hook(writer.sqliteConnection, hook, context)
    }

    /// A commit has left so many `pages` in the log. Whether the writer is to copy them.
    private func isForWriter(logOf pages: Int) -> Bool {
        let (deed, isPlanned): (Deed, Bool) = state.withLock { state in
            state.note(logOf: pages)
            // Its end plans the next one.
            if state.isRunning { return (.nothing, false) }
            if state.hasGrown, pages < Self.pagesAtMost { return (.copy, false) }
            guard state.hasGrown else { return (.nothing, state.plansCopy()) }
            state.attempted = pages
            // What a reader keeps the writer from copying.
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

    /// Begins a checkpoint, if there is something to copy and none is under way. What it leaves, as it came meanwhile
    /// or a reader still needed the log as it was, is left to a next one.
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

    /// Runs `body` once the checkpoints that were asked for have ended; the next one waits for it.
    func between(_ body: @escaping @Sendable () -> Void) {
        connection.asyncWriteWithoutTransaction { _ in body() }
    }

    /// Waits for a checkpoint that is under way.
    func close() throws {
        state.withLock { $0.isClosed = true }
        try connection.close()
    }
}
