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
    private struct State {
        var isRunning = false
        var isPlanned = false
        var isClosed = false
        /// Pages of the log after the last commit, and when the last checkpoint began; it has copied about as many.
        var pages = 0
        var begun = 0

        /// Pages that have come since the last checkpoint.
        var uncopied: Int { pages - begun }
    }

    private enum Deed { case nothing, copy, plan, leaveToWriter }

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
        let deed: Deed = state.withLock { state in
            // Written from its start again.
            if pages < state.begun { state.begun = 0 }
            state.pages = pages
            if state.isRunning { return .nothing }
            if pages >= SocialGraphLimits.logPagesAtMost { return .leaveToWriter }
            if state.uncopied >= SocialGraphLimits.logPagesToCopy { return .copy }
            if state.isPlanned { return .nothing }
            state.isPlanned = true
            return .plan
        }
        switch deed {
        case .nothing: return false
        case .copy: copy()
        case .plan:
            DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.pause) { [weak self] in
                self?.state.withLock { $0.isPlanned = false }
                self?.copy()
            }
        case .leaveToWriter: return true
        }
        return false
    }

    /// Begins a checkpoint, if there is something to copy and none is under way.
    private func copy() {
        state.withLock { state in
            if state.isRunning || state.isClosed || state.uncopied <= 0 { return }
            state.isRunning = true
            state.begun = state.pages
            // Under the lock, so that it comes before the end of the connection.
            connection.asyncWriteWithoutTransaction { [self] database in
                _ = try? database.checkpoint(.passive)
                self.state.withLock { $0.isRunning = false }
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
