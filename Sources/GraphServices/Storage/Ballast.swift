import Foundation
import Glibc

/// A file that takes room while there is some, so that a server whose disk others have filled can be started: the
/// database cannot be opened without writing a little.
package struct Ballast: Sendable {
    /// Bytes that are kept on the disk for a start without any other room.
    package static let standardBytes = 8 << 20

    package let path: String
    /// 0: none is kept.
    package let bytes: Int

    package init(path: String, bytes: Int) {
        self.path = path
        self.bytes = bytes
    }

    /// Removes the file where less than its length is free. True if there was one.
    package func release(_ free: Int64?) -> Bool {
        guard let free, free < bytes else { return false }
        return unlink(path) == 0
    }

    /// Makes the file where there is none and twice its length is free.
    func restore(_ free: Int64) {
        guard bytes > 0, free > 2 * bytes, access(path, F_OK) != 0 else { return }
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        let isWhole = posix_fallocate(file, 0, off_t(bytes)) == 0
        close(file)
        if !isWhole { unlink(path) }
    }
}
