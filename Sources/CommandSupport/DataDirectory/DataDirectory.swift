import Database
import Foundation

/// Everything that survives a restart: the database (unless a server holds it), stored files, the token key, the socket
/// of the private Redis, and the lock of the one serving process.
package struct DataDirectory: Sendable {
    package let path: String
    /// The server that holds the database; nil if the directory itself holds it.
    package let server: DatabaseServer?
    /// Paths on which others had rights until the directory was opened.
    package private(set) var closed: [String] = []

    package init(path: String, server: DatabaseServer? = nil) {
        self.path = path
        self.server = server
    }

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
    package static func create(at path: String, server: DatabaseServer? = nil) throws -> DataDirectory {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommandFailure(
                "The data directory \(path) cannot be created: \(error.localizedDescription). Name one that can be "
                    + "written with --data-dir.")
        }
        var directory = DataDirectory(path: path, server: server)
        directory.closed = try directory.closeToOthers()
        return directory
    }

    /// Opens an existing data directory. Throws ``CommandFailure`` if `path` has no database, or cannot be read.
    package static func open(at path: String, server: DatabaseServer? = nil) throws -> DataDirectory {
        let directory = DataDirectory(path: path, server: server)
        guard directory.isUsed else {
            let file = server == nil ? directory.database : path + "/" + NodeFile.name
            throw directory.unusable(because: FileStatus(file) == nil ? errno : 0)
        }
        try directory.closeToOthers()
        return directory
    }

    /// The failure to open a directory without a database.
    ///
    /// - Parameter number: the system's error at the look for the database; `EACCES`: there may be one.
    func unusable(because number: CInt) -> CommandFailure {
        if number == EACCES {
            let user = FileStatus(path).map { "'#\($0.owner)'" } ?? "graphd"
            return CommandFailure(
                "This user may not read the data directory \(path). Run the command as the user to whom the directory "
                    + "belongs: sudo -u \(user) graphd …")
        }
        let file = server == nil ? "graph.db" : "file \(NodeFile.name), as one with a database on a server has"
        return CommandFailure(
            "\(path) is not a data directory of graphd: it has no \(file). "
                + "Name one with --data-dir, or create one with 'graphd serve' or 'graphd import'.")
    }

    package var isNew: Bool { !FileManager.default.fileExists(atPath: database) }

    /// True if the directory has been used with a database.
    package var isUsed: Bool { NodeFile.exists(in: path) || (server == nil && !isNew) }

    /// The number of the node, for a database on a server.
    ///
    /// - Throws: ``CommandFailure``.
    package func nodeID() throws -> Int64 { try NodeFile(in: path).id }

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
