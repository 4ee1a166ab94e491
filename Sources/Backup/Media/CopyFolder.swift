import CommandSupport
import Database
import Glibc

/// The directory for files of a copy under way. One copy has it at a time: another would take an unfinished file for
/// its own. A killed copy leaves its files, and the next one removes them.
final class CopyFolder: Sendable {
    let path: String
    private let lock: Int32

    /// Creates the directory, or empties it.
    ///
    /// - Throws: `CommandFailure` if another copy has it; ``FileFault``.
    init(_ path: String) throws {
        self.path = path
        lock = try Self.lock(path)
        for name in try FileTransfer.names(in: path) { unlink("\(path)/\(name)") }
    }

    deinit { close(lock) }

    /// Removes the directory, which is empty after a copy.
    func remove() { rmdir(path) }

    private static func lock(_ path: String) throws -> Int32 {
        while true {
            try FileTransfer.makeDirectory(path)
            let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else {
                // Another copy has ended, and has removed it.
                if errno == ENOENT { continue }
                throw FileFault("opened", path)
            }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let fault = FileFault("locked", path)
                close(descriptor)
                guard fault.number == EWOULDBLOCK else { throw fault }
                throw CommandFailure(
                    "Another copy to this place is under way: it has locked \(path). Wait until it has ended, and give "
                        + "the command again.")
            }
            if isPresent(descriptor, at: path) { return descriptor }
            close(descriptor)
        }
    }

    /// Returns whether the directory is still at its path: another copy may have removed it before it was locked.
    private static func isPresent(_ descriptor: Int32, at path: String) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0, let present = FileStatus(path, followsLinks: false) else { return false }
        return UInt64(status.st_ino) == present.inode && UInt64(status.st_dev) == present.device
    }
}
