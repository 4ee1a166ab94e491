import Database
import Foundation

/// The file `node` of a data directory whose database is on a server. It holds the number by which the database knows
/// the directory, so that the same directory takes its leases back at once after it was killed.
///
/// The file's own inode stands in it: a copy of the directory, which may run beside the original, is another node.
package struct NodeFile: Sendable {
    package static let name = "node"

    package let path: String
    /// The number of the node.
    package let id: Int64

    /// Reads the file of a data directory, or creates it.
    ///
    /// - Throws: ``CommandFailure``.
    init(in directory: String) throws {
        path = directory + "/" + Self.name
        if let id = Self.stored(at: path) {
            self.id = id
        } else {
            id = Int64.random(in: 1...IDSequence.maximum)
            try Self.store(id, at: path)
        }
    }

    package static func exists(in directory: String) -> Bool {
        FileStatus(directory + "/" + name, followsLinks: false) != nil
    }

    /// Returns the number in the file; nil if there is none, or the file is a copy.
    private static func stored(at path: String) -> Int64? {
        guard let status = FileStatus(path), let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            return nil
        }
        let parts = text.split(whereSeparator: \.isWhitespace)
        guard parts.count == 2, let id = Int64(parts[0]), id > 0, parts[1] == "\(status.inode)" else { return nil }
        return id
    }

    private static func store(_ id: Int64, at path: String) throws {
        let partial = path + ".partial"
        func failure() -> CommandFailure {
            CommandFailure("The file \(path) cannot be written: \(String(cString: strerror(errno))).")
        }
        let file = Foundation.open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure() }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw failure() }
        let text = "\(id) \(status.st_ino)\n"
        guard write(file, text, text.utf8.count) == text.utf8.count, fsync(file) == 0, rename(partial, path) == 0
        else { throw failure() }
    }
}
