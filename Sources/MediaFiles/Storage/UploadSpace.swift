import Foundation
import Glibc
import Synchronization

/// The disk space available to uploads: all but a reserve for the database.
package final class UploadSpace: Sendable {
    /// Bytes that uploads leave free.
    let reserve: Int64
    private let free: @Sendable () -> Int64?
    /// Bytes being written, which the file system may not have counted yet.
    private let claimed = Mutex<Int64>(0)

    /// - Parameter free: number of free bytes; nil if unknown, and then everything is admitted.
    package init(reserve: Int64, free: @escaping @Sendable () -> Int64?) {
        self.reserve = reserve
        self.free = free
    }

    static let unbounded = UploadSpace(reserve: 0) { nil }

    /// Returns true if `bytes` more leave the reserve untouched.
    func hasRoom(for bytes: Int64) -> Bool {
        guard let free = free() else { return true }
        return free - claimed.withLock { $0 } - bytes >= reserve
    }

    /// Runs `write`, which writes so many bytes.
    ///
    /// - Throws: ``FileFailure`` with `ENOSPC` if that would use the reserve.
    func taking<Value>(_ bytes: Int, _ write: () throws -> Value) throws -> Value {
        let count = Int64(bytes)
        let isAdmitted = claimed.withLock { claimed in
            if let free = free(), free - claimed - count < reserve { return false }
            claimed += count
            return true
        }
        guard isAdmitted else { throw FileFailure("reserve", number: ENOSPC) }
        defer { claimed.withLock { $0 -= count } }
        return try write()
    }
}

/// Free space of the file system that holds a path.
package enum DiskSpace {
    /// Returns the number of bytes that are free to this process; nil if the system does not tell.
    package static func free(at path: String) -> Int64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        let blocks = Int64(clamping: status.f_bavail)
        let (bytes, overflow) = blocks.multipliedReportingOverflow(by: Int64(clamping: status.f_frsize))
        return overflow ? .max : bytes
    }
}
