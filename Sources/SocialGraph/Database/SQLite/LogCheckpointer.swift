import GRDB
import GRDBSQLite
import Synchronization

/// Copies the write-ahead log back into the database beside the writer, on a connection of its own.
///
/// SQLite's automatic checkpoint runs within the commit that finds 1,000 pages in the log, and everybody who writes
/// waits for it. Here they do not; but only a log that has been copied whole is written from its start again, which may
/// not come about while commits go on. So a log that has become long is copied by the writer after all, which has
/// little left to copy.
final class LogCheckpointer: Sendable {
    private struct State {
        var isRunning = false
        /// Pages of the log when the last checkpoint began; it has copied about as many.
        var begun = 0
    }

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
        let (isForWriter, begins) = state.withLock { state in
            // Written from its start again.
            if pages < state.begun { state.begun = 0 }
            if state.isRunning { return (false, false) }
            if pages >= SocialGraphLimits.logPagesAtMost { return (true, false) }
            guard pages - state.begun >= SocialGraphLimits.logPagesToCopy else { return (false, false) }
            state.isRunning = true
            state.begun = pages
            return (false, true)
        }
        if begins {
            connection.asyncWriteWithoutTransaction { [self] database in
                _ = try? database.checkpoint(.passive)
                state.withLock { $0.isRunning = false }
            }
        }
        return isForWriter
    }

    /// Runs `body` once the checkpoints that were asked for have ended; the next one waits for it.
    func between(_ body: @escaping @Sendable () -> Void) {
        connection.asyncWriteWithoutTransaction { _ in body() }
    }

    /// Waits for a checkpoint that is under way.
    func close() throws { try connection.close() }
}
