import Glibc

/// A small file that is written as a whole, readable by its owner only.
package enum DurableFile {
    package struct Failure: Error {
        /// The act that failed, such as "cannot create".
        package let act: String
        package let path: String
        /// The value of `errno`.
        package let number: Int32

        fileprivate init(_ act: String, _ path: String) {
            number = errno
            (self.act, self.path) = (act, path)
        }
    }

    /// Writes a file under a temporary name, makes it durable, and then gives it its real name. A crash leaves either
    /// the old contents or the whole new file.
    ///
    /// - Parameter replacing: true if an existing file of that name is replaced; otherwise it stays.
    package static func write(
        _ bytes: [UInt8], to path: String, in directory: String, replacing: Bool
    ) throws(Failure) {
        let temporary = "\(path).\(getpid()).\(UInt64.random(in: .min ... .max))"
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Failure("cannot create", temporary) }
        defer { unlink(temporary) }
        let isWritten = Glibc.write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
        let writeFailure = Failure("cannot write", temporary)
        guard close(file) == 0, isWritten else { throw writeFailure }
        guard place(temporary, path, replacing) else { throw Failure("cannot create", path) }
        let parent = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard parent >= 0 else { throw Failure("cannot open", directory) }
        defer { close(parent) }
        guard fsync(parent) == 0 else { throw Failure("cannot sync", directory) }
    }

    /// Returns false, with `errno`, if the file has not got its name.
    private static func place(_ temporary: String, _ path: String, _ isReplacing: Bool) -> Bool {
        if isReplacing { return rename(temporary, path) == 0 }
        // A rename would replace what another process has created meanwhile. Where there are no links, only a little
        // time is left for that.
        if link(temporary, path) == 0 || errno == EEXIST { return true }
        guard [EPERM, ENOTSUP, ENOSYS].contains(errno) else { return false }
        return access(path, F_OK) == 0 || rename(temporary, path) == 0
    }
}
