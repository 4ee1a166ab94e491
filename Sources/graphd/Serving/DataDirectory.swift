import Foundation
import SocialGraph

/// Everything that survives a restart: the database, the token key, the private Redis' socket, and the lock of the
/// one serving process.
struct DataDirectory: Sendable {
    let path: String

    var database: String { path + "/graph.db" }
    var redisSocket: String { path + "/redis.sock" }

    /// Why a data directory cannot be used, for the operator.
    struct Unusable: Error, CustomStringConvertible {
        let description: String
    }

    /// Opens or creates it. Throws ``Unusable``.
    static func create(at path: String) throws -> DataDirectory {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw Unusable(description: "The data directory \(path) cannot be created: \(error.localizedDescription)")
        }
        return DataDirectory(path: path)
    }

    /// Opens an existing one. Throws ``Unusable`` if `path` has no database.
    static func open(at path: String) throws -> DataDirectory {
        let directory = DataDirectory(path: path)
        guard FileManager.default.fileExists(atPath: directory.database) else {
            throw Unusable(
                description: "\(path) is not a data directory of graphd: it has no graph.db. "
                    + "Name one with --data-dir, or make one with 'graphd serve' or 'graphd import'.")
        }
        return directory
    }

    var isNew: Bool { !FileManager.default.fileExists(atPath: database) }

    /// Opens and migrates the database.
    func openGraph() throws -> GraphStore {
        GraphStore(database: try SQLiteDatabase(path: database))
    }

    /// Takes the lock of the serving process, held until the process ends, however it ends.
    /// Throws ``Unusable`` if another process serves this directory.
    func lockForServing() throws -> ServingLock {
        let file = Foundation.open(path + "/serve.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw Unusable(description: "\(path)/serve.lock cannot be opened: \(String(cString: strerror(errno))).")
        }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            close(file)
            throw Unusable(
                description:
                    "Another graphd serves the data directory \(path). Stop it first, or choose another --data-dir.")
        }
        return ServingLock(file: file)
    }
}

/// Held by the one process that serves a data directory.
final class ServingLock: Sendable {
    private let file: Int32
    init(file: Int32) { self.file = file }
    deinit { close(file) }
}
