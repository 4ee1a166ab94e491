import HTTPTypes
import Hummingbird
import NIOCore

extension ResponseBody {
    /// Returns the bytes of a body of known, small length.
    func collected() async throws -> ByteBuffer {
        let collected = CollectedBytes()
        try await write(CollectingWriter(collected: collected))
        return collected.bytes
    }
}

private final class CollectedBytes {
    var bytes = ByteBuffer()
}

private struct CollectingWriter: ResponseBodyWriter {
    let collected: CollectedBytes

    mutating func write(_ buffer: ByteBuffer) async throws {
        // The whole body usually comes at once, and is not copied.
        if collected.bytes.readableBytes == 0 {
            collected.bytes = buffer
        } else {
            collected.bytes.writeImmutableBuffer(buffer)
        }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
