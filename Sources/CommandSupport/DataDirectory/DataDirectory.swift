import Database
import Foundation
import GraphAssembly
import SocialGraph

/// Everything that survives a restart: the database, stored files, the token key, the private Redis' socket, and the
/// lock of the one serving process.
package struct DataDirectory: Sendable {
    package let path: String
    /// Paths on which others had rights until the directory was opened.
    package private(set) var closed: [String] = []

    package init(path: String) { self.path = path }

    package var database: String { path + "/graph.db" }
    package var media: String { path + "/media" }
    /// Path of a file that reserves room for a start on a full disk.
    package var ballast: String { path + "/ballast" }
    /// Path of the file that the serving process has locked.
    package var servingLock: String { path + "/serve.lock" }
    package var redisSocket: String { path + "/redis.sock" }

    /// The directories of the private redis-servers, one for each of `shards`. The only one is in this directory.
    package func redisDirectories(shards: Int) -> [String] {
        shards == 1 ? [path] : (0..<shards).map { "\(path)/redis-\($0)" }
    }

    package func redisSockets(shards: Int) -> [String] { redisDirectories(shards: shards).map { $0 + "/redis.sock" } }

    /// Opens or creates a data directory. Throws ``CommandFailure``.
    package static func create(at path: String) throws -> DataDirectory {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommandFailure(
                "The data directory \(path) cannot be created: \(error.localizedDescription). Name one that can be "
                    + "written with --data-dir.")
        }
        var directory = DataDirectory(path: path)
        directory.closed = try directory.closeToOthers()
        return directory
    }

    /// Opens an existing data directory. Throws ``CommandFailure`` if `path` has no database.
    package static func open(at path: String) throws -> DataDirectory {
        let directory = DataDirectory(path: path)
        guard FileManager.default.fileExists(atPath: directory.database) else {
            throw CommandFailure(
                "\(path) is not a data directory of graphd: it has no graph.db. "
                    + "Name one with --data-dir, or create one with 'graphd serve' or 'graphd import'.")
        }
        try directory.closeToOthers()
        return directory
    }

    package var isNew: Bool { !FileManager.default.fileExists(atPath: database) }

    /// Opens and migrates the database.
    package func openGraph(for purpose: SQLiteDatabase.Purpose = .serving) throws -> GraphStore {
        GraphStore(database: try openDatabase(for: purpose))
    }

    /// Opens and migrates the database, with a clock that continues from the last time that the directory has seen.
    package func openDatabase(
        for purpose: SQLiteDatabase.Purpose = .serving, clock: SteadyClock = SteadyClock()
    ) throws -> SQLiteDatabase {
        createDatabaseFile()
        do {
            let database = try SQLiteDatabase(path: database, purpose: purpose, times: GraphClock(clock))
            if let mark = try database.clockMark(before: clock.wall()) { clock.resume(from: mark) }
            return database
        } catch DatabaseError.storageFull(let detail) {
            throw CommandFailure("The database cannot be opened because its disk is full. Free space on it: \(detail)")
        } catch DatabaseError.storageCorrupt(let detail) {
            throw CommandFailure(
                "The database is damaged: \(detail). Restore \(self.database) from a backup, or recover what can be "
                    + "read: sqlite3 \(self.database) .recover | sqlite3 new.db")
        } catch DatabaseError.storage(let detail) {
            throw CommandFailure("The database cannot be opened: \(detail)")
        }
    }

    /// True while a process serves this directory.
    package var isBeingServed: Bool { (try? lockForServing()) == nil }

    /// Takes the lock of the serving process, held until the process ends, however it ends.
    /// Throws ``CommandFailure`` if another process serves this directory.
    package func lockForServing() throws -> ServingLock {
        let file = Foundation.open(servingLock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw CommandFailure("\(servingLock) cannot be opened: \(String(cString: strerror(errno))).")
        }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            close(file)
            throw CommandFailure(
                "Another graphd serves the data directory \(path). Stop it first, or choose another --data-dir.")
        }
        return ServingLock(file: file)
    }
}

/// The lock of the one process that serves a data directory.
package final class ServingLock: Sendable {
    private let file: Int32
    init(file: Int32) { self.file = file }
    deinit { close(file) }
}
