import CZlib
import NIOCore

/// The gzip format (RFC 1952).
package enum Gzip {
    /// Half of the work of zlib's standard level, for bodies that are a few hundredths larger.
    private static let level: Int32 = 3

    /// Returns the bytes in gzip format; nil if there is no memory for the compressor.
    package static func compress(_ bytes: ByteBuffer) -> ByteBuffer? {
        var stream = z_stream()
        // The compressor keeps the address of the stream.
        return withUnsafeMutablePointer(to: &stream) { stream in
            guard graphd_gzip_begin(stream, level) == Z_OK else { return nil }
            defer { deflateEnd(stream) }
            let bound = Int(deflateBound(stream, UInt(bytes.readableBytes)))
            var output = ByteBufferAllocator().buffer(capacity: bound)
            var isWhole = false
            bytes.withUnsafeReadableBytes { input in
                // zlib does not write to its input.
                stream.pointee.next_in = UnsafeMutablePointer(
                    mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
                stream.pointee.avail_in = UInt32(input.count)
                output.writeWithUnsafeMutableBytes(minimumWritableBytes: bound) { space in
                    stream.pointee.next_out = space.baseAddress?.assumingMemoryBound(to: UInt8.self)
                    stream.pointee.avail_out = UInt32(space.count)
                    isWhole = deflate(stream, Z_FINISH) == Z_STREAM_END
                    return space.count - Int(stream.pointee.avail_out)
                }
            }
            return isWhole ? output : nil
        }
    }
}
