import Foundation
import GRDB

/// A database file that is examined or copied without being changed, for backups and their checks. A server, of this or
/// another version, may use it meanwhile. All calls block.
package final class DatabaseFile: Sendable {
    /// Pages that are copied between two reports of progress.
    private static let pagesPerStep: CInt = 2_048

    private let path: String
    private let connection: DatabaseQueue
    private let caches = StatementCaches()

    /// Opens an existing database for reading.
    ///
    /// - Throws: ``DatabaseError/storageCorrupt(detail:)``, ``DatabaseError/storage(detail:)``.
    package init(reading path: String) throws {
        self.path = path
        var configuration = Configuration()
        configuration.label = "graphd.file"
        configuration.readonly = true
        configuration.busyMode = .timeout(15)
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = -16384") }
        connection = try Self.translating(path) { try DatabaseQueue(path: path, configuration: configuration) }
    }

    /// Runs `body` on one consistent snapshot.
    package func read<T>(_ body: (any SQLReader) throws -> T) throws -> T {
        try Self.translating(path) { try connection.read { try body(SQLiteReader($0, caches)) } }
    }

    /// Copies one consistent snapshot to a new file: everything that was committed before the call. A writer may commit
    /// all the while. The transaction around all steps keeps the snapshot; without it, SQLite would begin the copy
    /// again after each commit. The write-ahead log of the original grows until the copy ends.
    ///
    /// - Parameters:
    ///   - path: a file that does not exist. It may be incomplete after an error.
    ///   - progress: called with the bytes copied and to copy in total. An error that it throws ends the copy.
    package func copy(to path: String, progress: (_ done: Int, _ total: Int) throws -> Void) throws {
        let file = Foundation.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw DatabaseError.storage(detail: "\(path): \(String(cString: strerror(errno)))") }
        close(file)
        try Self.translating(path) {
            // Nobody uses an incomplete copy, so it needs neither a journal nor a flush of each step.
            let copy = try Self.open(path, settings: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
            try connection.read { source in
                let pageSize = try Int.fetchOne(source, sql: "PRAGMA page_size") ?? 4_096
                // The snapshot begins with the first statement that reads.
                _ = try Int.fetchOne(source, sql: "SELECT count(*) FROM sqlite_schema")
                try withoutActuallyEscaping(progress) { progress in
                    try copy.writeWithoutTransaction { copy in
                        try source.backup(to: copy, pagesPerStep: Self.pagesPerStep) { state in
                            try progress(state.completedPageCount * pageSize, state.totalPageCount * pageSize)
                        }
                    }
                }
            }
            try copy.close()
            try Self.closeLog(of: path)
        }
    }

    /// Makes a copy one file. It was copied with the mark of a database that has a write-ahead log.
    private static func closeLog(of path: String) throws {
        let copy = try open(path, settings: "PRAGMA synchronous = OFF")
        try copy.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
        try copy.close()
    }

    private static func open(_ path: String, settings: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "graphd.copy"
        configuration.prepareDatabase { try $0.execute(sql: settings) }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// The names of the changes of the tables that the database has, in the order in which they were applied; empty for
    /// a database that graphd has not written.
    package func schemaChanges() throws -> [String] {
        try Self.translating(path) {
            try connection.read { database in
                guard try database.tableExists("grdb_migrations") else { return [] }
                return try String.fetchAll(database, sql: "SELECT identifier FROM grdb_migrations ORDER BY rowid")
            }
        }
    }

    /// The last time that the data directory has seen; nil if it has seen none.
    ///
    /// - Parameter wall: milliseconds since 1970; a newer id does not count.
    package func clockMark(before wall: Int64) throws -> SteadyClock.Mark? {
        try read { try ClockStore.Reader($0).clockMark(before: wall) }
    }

    /// The extent of a check of the file.
    package enum Check: Sendable {
        /// Every page, and the order of the rows.
        case pages
        /// The same, and also that indexes match tables and every reference has its row.
        case everything
    }

    /// Returns the first problem; nil: there is none.
    package func damage(_ check: Check) throws -> String? {
        do {
            return try connection.read { database in
                guard check == .everything else { return try database.damagedPage() }
                if let found = try database.damage() { return found }
                return try Row.fetchOne(database, sql: "PRAGMA foreign_key_check").map { row in
                    let (child, parent): (String, String) = (row[0], row[2])
                    return "a row of \(child) refers to a row of \(parent) that does not exist"
                }
            }
        } catch let error as EngineError {
            guard case .storageCorrupt(let detail) = SQLiteDatabase.failure(error, opening: path) else {
                throw SQLiteDatabase.failure(error, opening: path)
            }
            return detail
        }
    }

    private static func translating<T>(_ path: String, _ body: () throws -> T) throws -> T {
        do { return try body() } catch let error as EngineError { throw SQLiteDatabase.failure(error, opening: path) }
    }
}

extension DatabaseSchema {
    /// The name of the tables of release 0.1.0 among the changes that a database has.
    package static let firstRelease = "0.1.0"

    /// The names of all changes that this version knows, the oldest first.
    package var changeNames: [String] { [Self.firstRelease] + changes.map(\.name) }
}
