import Foundation
import Glibc
import Synchronization

/// The room that uploads may take of a disk: all but a reserve, which is for the database.
package final class UploadRoom: Sendable {
    /// Bytes that uploads leave free.
    let reserve: Int64
    private let free: @Sendable () -> Int64?
    /// Bytes that are being written, which the file system may not have counted yet.
    private let claimed = Mutex<Int64>(0)

    /// - Parameter free: bytes that are free; nil: not known, and everything is admitted.
    package init(reserve: Int64, free: @escaping @Sendable () -> Int64?) {
        self.reserve = reserve
        self.free = free
    }

    static let unbounded = UploadRoom(reserve: 0) { nil }

    /// Whether `bytes` more leave the reserve alone.
    func hasRoom(for bytes: Int64) -> Bool {
        guard let free = free() else { return true }
        return free - claimed.withLock { $0 } - bytes >= reserve
    }

    /// Runs `write`, which writes so many bytes.
    ///
    /// - Throws: ``FileFailure`` with `ENOSPC` where that would take of the reserve.
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

/// Free room of the file system that holds a path.
package enum DiskSpace {
    /// Bytes that are free to this process; nil where the system does not say.
    package static func free(at path: String) -> Int64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        let blocks = Int64(clamping: status.f_bavail)
        let (bytes, overflow) = blocks.multipliedReportingOverflow(by: Int64(clamping: status.f_frsize))
        return overflow ? .max : bytes
    }
}
