import Glibc

/// Attributes of a file, from `stat`. Read in this file because, beside an import of NIO, the compiler takes the
/// members of `stat` for those of an internal module of NIO that nobody can import.
package struct FileStatus: Sendable {
    package let inode: UInt64
    /// The file system that holds the file.
    package let device: UInt64
    package let owner: uid_t
    package let mode: mode_t
    package let bytes: Int64
    /// Time of the last change of the file or of its attributes.
    package let seconds: Int
    package let nanoseconds: Int

    /// Reads the attributes; nil: there is no such file, or it cannot be examined, and `errno` says why.
    ///
    /// - Parameter followsLinks: true examines the target of a link, not the link.
    package init?(_ path: String, followsLinks: Bool = true) {
        var status = stat()
        guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        inode = UInt64(status.st_ino)
        device = UInt64(status.st_dev)
        owner = status.st_uid
        mode = status.st_mode
        bytes = Int64(status.st_size)
        (seconds, nanoseconds) = (status.st_ctim.tv_sec, status.st_ctim.tv_nsec)
    }
}
