import CommandSupport
import Foundation

/// The process that serves a data directory.
struct ServingProcess: Equatable {
    let pid: Int
    /// Descriptors that it has open; nil: they are hidden from this process.
    let openFiles: Int?
    /// Descriptors that it may have open.
    let mostFiles: Int?

    /// Nil if no process is seen that has the lock of the directory.
    init?(_ directory: DataDirectory, proc: String = "/proc") {
        guard let lock = realpath(directory.servingLock, nil) else { return nil }
        defer { free(lock) }
        let path = String(cString: lock)
        let own = Int(getpid())
        let holder = OpenFiles.holder(proc: proc) { $0 == path } ?? FileLocks.holder(of: path, proc: proc)
        guard let pid = holder, pid != own else { return nil }
        self.pid = pid
        let names = OpenFiles.names(of: pid, proc: proc)
        openFiles = names.isEmpty ? nil : names.count
        let limits = FileManager.default.contents(atPath: "\(proc)/\(pid)/limits") ?? Data()
        mostFiles = Self.mostFiles(String(decoding: limits, as: UTF8.self))
    }

    /// Returns the limit in force: the number behind the name in `/proc/PID/limits`.
    static func mostFiles(_ limits: String) -> Int? {
        let name = "Max open files"
        let line = limits.split(separator: "\n").first { $0.hasPrefix(name) }
        return line?.dropFirst(name.count).split(separator: " ").first.flatMap { Int($0) }
    }
}
