import Foundation
import Glibc

/// A file that reserves disk space, so that a server can start on a disk that others have filled: opening the database
/// requires a small write.
package struct Ballast: Sendable {
    /// Bytes kept on the disk for a start without any other room.
    package static let standardBytes = 8 << 20

    package let path: String
    /// Length of the file in bytes; 0 if none is kept.
    package let bytes: Int

    package init(path: String, bytes: Int) {
        self.path = path
        self.bytes = bytes
    }

    /// Removes the file if less than its length is free. Returns true if there was one.
    package func release(_ free: Int64?) -> Bool {
        guard let free, free < bytes else { return false }
        return unlink(path) == 0
    }

    /// Creates the file if there is none and twice its length is free.
    func restore(_ free: Int64) {
        guard bytes > 0, free > 2 * bytes, access(path, F_OK) != 0 else { return }
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        let isWhole = posix_fallocate(file, 0, off_t(bytes)) == 0
        close(file)
        if !isWhole { unlink(path) }
    }
}
