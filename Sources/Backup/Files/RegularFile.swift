import Crypto
import Glibc

/// A regular file that is read in pieces. A symbolic link, a device or a pipe under its name is refused.
final class RegularFile {
    static let pieceBytes = 1 << 20

    let path: String
    /// Length in bytes when the file was opened.
    let bytes: Int64
    private let descriptor: Int32
    private var piece = [UInt8](repeating: 0, count: RegularFile.pieceBytes)

    /// - Throws: ``FileFault``, ``DamagedFile``.
    init(_ path: String) throws {
        // Without O_NONBLOCK, opening a pipe would wait for its writer.
        descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileFault("opened", path) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let fault = FileFault("examined", path)
            close(descriptor)
            throw fault
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw DamagedFile(path: path, difference: "it is not a regular file")
        }
        self.path = path
        bytes = Int64(status.st_size)
    }

    deinit { close(descriptor) }

    /// Passes the content to `body` piece by piece and returns its digest.
    func read(_ body: (UnsafeRawBufferPointer) throws -> Void = { _ in }) throws -> FileDigest {
        var (digest, total) = (SHA256(), Int64(0))
        while let count = try fill() {
            try piece.withUnsafeBytes { bytes in
                let read = UnsafeRawBufferPointer(rebasing: bytes[..<count])
                digest.update(bufferPointer: read)
                try body(read)
            }
            total += Int64(count)
        }
        return FileDigest(bytes: total, sha256: Array(digest.finalize()))
    }

    /// Reads the next piece. Returns its length; nil at the end.
    private func fill() throws -> Int? {
        while true {
            let count = piece.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { return count }
            if count == 0 { return nil }
            guard errno == EINTR else { throw FileFault("read", path) }
        }
    }

    /// Reads the whole of a small file.
    ///
    /// - Throws: ``DamagedFile`` if it is longer than `limit` bytes.
    static func content(_ path: String, limit: Int) throws -> [UInt8] {
        let file = try RegularFile(path)
        guard file.bytes <= limit else {
            throw DamagedFile(path: path, difference: "it has \(file.bytes) bytes, and at most \(limit) are possible")
        }
        var content: [UInt8] = []
        _ = try file.read { piece in
            guard content.count + piece.count <= limit else {
                throw DamagedFile(path: path, difference: "it grows while it is read")
            }
            content.append(contentsOf: piece)
        }
        return content
    }
}
