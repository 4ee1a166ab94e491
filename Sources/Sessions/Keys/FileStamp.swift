import Database

/// Identity of a file's contents: changes when the file is replaced.
package struct FileStamp: Sendable, Equatable {
    let inode: UInt64
    let seconds: Int
    let nanoseconds: Int
    let bytes: Int64

    /// Takes the stamp of a file. All fields are 0 if there is no such file.
    init(_ path: String) {
        let status = FileStatus(path)
        inode = status?.inode ?? 0
        (seconds, nanoseconds) = (status?.seconds ?? 0, status?.nanoseconds ?? 0)
        bytes = status?.bytes ?? 0
    }
}
