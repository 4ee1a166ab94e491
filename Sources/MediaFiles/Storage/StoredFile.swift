import Foundation
import Glibc
import NIOCore

/// A stored file, open for reading. A reader can read it to the end even if it is removed meanwhile.
package final class StoredFile: Sendable {
    private let descriptor: Int32
    /// Its length in bytes.
    package let bytes: Int64

    /// Opens the file. Blocks.
    ///
    /// - Throws: ``FileFailure``.
    package init(path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw FileFailure("open") }
        let end = lseek(descriptor, 0, SEEK_END)
        guard end >= 0 else {
            let failure = FileFailure("lseek")
            close(descriptor)
            throw failure
        }
        self.descriptor = descriptor
        bytes = Int64(end)
    }

    deinit { close(descriptor) }

    /// Returns at most `count` bytes from `start` on; fewer only at the end. Blocks.
    ///
    /// - Throws: ``FileFailure``.
    package func read(from start: Int64, count: Int) throws -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(count)
        while buffer.readableBytes < count {
            let position = start + Int64(buffer.readableBytes)
            let wanted = count - buffer.readableBytes
            let got = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: wanted) { space in
                max(pread(descriptor, space.baseAddress, wanted, off_t(position)), -1)
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw FileFailure("pread") }
            if got == 0 { break }
        }
        return buffer
    }
}
