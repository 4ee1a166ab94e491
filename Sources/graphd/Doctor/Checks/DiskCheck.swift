import Glibc
import GraphServices

/// The room on the file system of the data directory.
struct DiskCheck: Equatable {
    /// Least share of the entries for files that should be free, as a divisor.
    private static let leastFileShare: UInt64 = 100

    /// Bytes that this user may still use, and bytes in all.
    let free: Int64
    let size: Int64
    /// Entries for files, free and in all; a file system without a fixed number has 0 in all.
    let freeFiles: UInt64
    let files: UInt64
    /// The setting `--disk-reserve`.
    let reserve: Int64

    var finding: Finding {
        let room = "\(ByteText.text(free)) of \(ByteText.text(size)) are free"
        switch StorageState.level(free: free, reserve: reserve) {
        case .critical:
            return Finding(
                .disk, .failure, "The disk is nearly full: \(room), and writes are refused.",
                remedy: "Free space, or lower --disk-reserve (\(ByteText.text(reserve))).")
        case .low:
            return Finding(
                .disk, .warning,
                "The disk is filling up: \(room), and uploads are refused below "
                    + "\(ByteText.text(reserve)).", remedy: "Free space, or lower --disk-reserve.")
        case .ample: break
        }
        if files > 0, freeFiles < files / Self.leastFileShare {
            return Finding(
                .disk, .warning, "Only \(freeFiles) of \(files) inodes are free; each upload takes up to two.",
                remedy: "Remove small files from this file system (df --inodes).")
        }
        return Finding(.disk, .sound, "\(room); uploads leave \(ByteText.text(reserve)).")
    }
}

extension DiskCheck {
    /// Nil if the system does not tell.
    init?(path: String, reserve: Int64) {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        let block = Int64(clamping: status.f_frsize)
        self.init(
            free: Int64(clamping: status.f_bavail) * block, size: Int64(clamping: status.f_blocks) * block,
            freeFiles: UInt64(status.f_favail), files: UInt64(status.f_files), reserve: reserve)
    }
}
