import CommandSupport
import Crypto
import Glibc

/// Reads the list of files line by line, and takes its digest meanwhile.
struct ListReader {
    private let file: RegularFile
    private let path: String

    init(_ path: String) throws {
        self.path = path
        file = try RegularFile(path)
    }

    /// Calls `body` for each line. Returns the digest of the list.
    ///
    /// - Throws: ``CommandFailure`` for a line that is too long or not of a list, and the errors of `body`.
    func forEach(_ body: (BackupEntry) throws -> Void) throws -> FileDigest {
        var rest: [UInt8] = []
        let digest = try file.read { piece in
            var start = piece.startIndex
            while let end = piece[start...].firstIndex(of: UInt8(ascii: "\n")) {
                try append(piece[start..<end], to: &rest)
                try body(BackupEntry(line: rest))
                rest.removeAll(keepingCapacity: true)
                start = end + 1
            }
            try append(piece[start...], to: &rest)
        }
        guard rest.isEmpty else { throw DamagedFile(path: path, difference: "its last line has no end") }
        return digest
    }

    private func append(_ piece: Slice<UnsafeRawBufferPointer>, to line: inout [UInt8]) throws {
        guard line.count + piece.count <= BackupEntry.lineLimit else {
            throw DamagedFile(path: path, difference: "a line has more than \(BackupEntry.lineLimit) bytes")
        }
        line.append(contentsOf: piece)
    }
}
