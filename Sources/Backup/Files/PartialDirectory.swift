import CommandSupport
import Database
import Foundation

/// A directory under a temporary name beside its final place, until it is complete. A killed process leaves it under
/// that name, and the next one in the same place removes it: the lock on it tells whether its maker lives.
final class PartialDirectory: Sendable {
    static let prefix = ".graphd-partial-"

    let path: String
    private let parent: String
    private let lock: Int32

    private init(path: String, parent: String, lock: Int32) {
        self.path = path
        self.parent = parent
        self.lock = lock
    }

    deinit { close(lock) }

    /// Creates the directory, after removing those of killed processes.
    static func create(in parent: String) throws -> PartialDirectory {
        removeLeftovers(in: parent)
        for _ in 0..<16 {
            let path = parent + "/" + prefix + String(UInt32.random(in: .min ... .max), radix: 16)
            guard mkdir(path, 0o700) == 0 else {
                if errno == EEXIST { continue }
                throw FileFault("created", path)
            }
            // Another process may have taken it for a leftover until it was locked.
            if let lock = lock(path) { return PartialDirectory(path: path, parent: parent, lock: lock) }
        }
        throw CommandFailure("No temporary directory can be created in \(parent).")
    }

    /// Returns the locked directory; nil if another process has it, or has removed it.
    private static func lock(_ path: String) -> Int32? {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, access(path, F_OK) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    private static func removeLeftovers(in parent: String) {
        for name in (try? FileTransfer.names(in: parent)) ?? [] where name.hasPrefix(prefix) {
            let path = parent + "/" + name
            guard FileStatus(path, followsLinks: false)?.owner == geteuid(), let lock = lock(path) else { continue }
            try? FileManager.default.removeItem(atPath: path)
            close(lock)
        }
    }

    /// Gives the directory its final name, under which nothing but an empty directory may be, and returns after that is
    /// on disk.
    func complete(as destination: String) throws {
        try Flush.directory(path)
        guard rename(path, destination) == 0 else {
            switch errno {
            case EEXIST, ENOTEMPTY, ENOTDIR:
                throw CommandFailure("\(destination) was created by another process meanwhile. Nothing was changed.")
            case EBUSY, EXDEV: throw NewPlace.rootOfFileSystem(destination)
            default: throw FileFault("created", destination)
            }
        }
        try Flush.directory(parent)
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}

/// A place for a new directory: its absolute path, and the existing directory around it.
struct NewPlace {
    let path: String
    let parent: String

    /// - Throws: ``CommandFailure`` if the directory around it does not exist.
    init(_ text: String) throws {
        let url = URL(fileURLWithPath: text).standardizedFileURL
        let around = url.deletingLastPathComponent().path
        guard let resolved = realpath(around, nil) else {
            throw CommandFailure(
                "The directory \(around) cannot be used: \(String(cString: strerror(errno))). Create it first, for "
                    + "example with: mkdir -p \(around)")
        }
        parent = String(cString: resolved)
        free(resolved)
        path = (parent == "/" ? "" : parent) + "/" + url.lastPathComponent
    }

    /// The refusal of a mount point, which no other directory can replace.
    static func rootOfFileSystem(_ path: String) -> CommandFailure {
        CommandFailure("\(path) is the root of a file system. Name a directory in it.")
    }
}
