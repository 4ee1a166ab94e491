import Foundation
import Glibc
import GraphServices

/// Locks of files as the kernel lists them for everybody, also those of a process whose open files are hidden, such as
/// a service that systemd has put into a user namespace of its own.
enum FileLocks {
    /// Looks for a lock. The kernel gives its list out a page at a time, and passes over an entry if others come or go
    /// in between.
    private static let looks = 5

    /// Returns the process that has locked the file by `flock`; nil if none is seen.
    static func holder(of path: String, proc: String = "/proc") -> Int? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let device = [status.st_dev.major, status.st_dev.minor].map { number in
            String(repeating: "0", count: number < 16 ? 1 : 0) + String(number, radix: 16)
        }
        let file = "\(device[0]):\(device[1]):\(status.st_ino)"
        for _ in 0..<looks {
            guard let list = KernelFile.text(proc + "/locks") else { return nil }
            if let holder = holder(of: file, in: list) { return holder }
        }
        return nil
    }

    /// Reads lines such as `1: FLOCK  ADVISORY  WRITE 1834 08:01:262153 0 EOF`. Those who wait have an arrow before the
    /// kind, and a process of another namespace has the number 0 or -1.
    static func holder(of file: String, in list: String) -> Int? {
        for line in list.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count > 5, words[1] == "FLOCK", words[5] == file, let pid = Int(words[4]), pid > 0 else {
                continue
            }
            return pid
        }
        return nil
    }
}

extension dev_t {
    /// The parts of a device's number as glibc packs them: macros, which Swift does not import.
    fileprivate var major: UInt64 { UInt64(self) >> 8 & 0xFFF | UInt64(self) >> 32 & ~0xFFF }
    fileprivate var minor: UInt64 { UInt64(self) & 0xFF | UInt64(self) >> 12 & ~0xFF }
}
