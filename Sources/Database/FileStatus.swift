import Glibc

/// Attributes of a file, from `stat`. Read here because, where NIO is imported as well, the compiler takes the members
/// of `stat` for those of a module of NIO that nobody can import.
package struct FileStatus: Sendable {
    package let inode: UInt64
    package let owner: uid_t
    package let mode: mode_t
    package let bytes: Int64
    /// When the file, or what is said of it, has changed.
    package let seconds: Int
    package let nanoseconds: Int

    /// Nil: there is no such file, or it cannot be examined; `errno` says why.
    ///
    /// - Parameter followsLinks: whether a link stands for what it leads to.
    package init?(_ path: String, followsLinks: Bool = true) {
        var status = stat()
        guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        inode = UInt64(status.st_ino)
        owner = status.st_uid
        mode = status.st_mode
        bytes = Int64(status.st_size)
        (seconds, nanoseconds) = (status.st_ctim.tv_sec, status.st_ctim.tv_nsec)
    }
}
