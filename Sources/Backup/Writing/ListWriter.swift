import Crypto

/// Writes the list of files.
final class ListWriter {
    private static let bufferBytes = 1 << 16

    private let file: NewFile
    private var buffer: [UInt8] = []
    private var digest = SHA256()
    private var length: Int64 = 0
    /// Lines written, and the length of the files that they name.
    private(set) var files: Int64 = 0
    private(set) var bytes: Int64 = 0

    init(_ path: String) throws { file = try NewFile(path) }

    func append(_ entry: BackupEntry) throws {
        buffer += entry.line
        files += 1
        bytes += entry.digest.bytes
        if buffer.count >= Self.bufferBytes { try writeBuffer() }
    }

    /// Returns the digest of the list once it is on disk.
    func finish() throws -> FileDigest {
        try writeBuffer()
        try file.finish()
        return FileDigest(bytes: length, sha256: Array(digest.finalize()))
    }

    private func writeBuffer() throws {
        try buffer.withUnsafeBytes { bytes in
            digest.update(bufferPointer: bytes)
            try file.append(bytes)
        }
        length += Int64(buffer.count)
        buffer.removeAll(keepingCapacity: true)
    }
}
