import Foundation

/// A data directory that a running server holds.
enum ServedDirectory {
    /// Returns the process that holds the lock of a serving graphd on `directory`, from `/proc/locks`. Throws a
    /// sentence if there is none.
    static func process(of directory: String) throws -> Int32 {
        let path = directory + "/serve.lock"
        guard let inode = try? FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int else {
            throw Program.Failure(description: "\(directory) is no data directory: it has no serve.lock")
        }
        let locks = try String(contentsOfFile: "/proc/locks", encoding: .utf8)
        for line in locks.split(separator: "\n") {
            // 1: FLOCK  ADVISORY  WRITE 3420 fe:00:131072 0 EOF
            let fields = line.split(separator: " ")
            guard fields.count > 5, let process = Int32(fields[4]), process > 0,
                fields[5].split(separator: ":").last == "\(inode)", hasOpen(path, process)
            else { continue }
            return process
        }
        throw Program.Failure(description: "nobody serves \(directory): start 'graphd serve' on it first")
    }

    /// Returns true if the process has the file open. Another file system may have a file of the same number.
    private static func hasOpen(_ path: String, _ process: Int32) -> Bool {
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let descriptors = "/proc/\(process)/fd"
        return ((try? FileManager.default.contentsOfDirectory(atPath: descriptors)) ?? []).contains { descriptor in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(descriptors)/\(descriptor)")) == file
        }
    }
}
