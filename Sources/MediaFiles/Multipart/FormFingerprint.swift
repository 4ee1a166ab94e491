import Crypto
import NIOCore

/// The digest of a form's content: names and contents of its parts in order, but not the boundary, which a client draws
/// anew for each request. Two sendings of one form have the same.
struct FormFingerprint {
    private var whole = SHA256()
    private var part: (name: String, content: SHA256)?

    mutating func begin(_ name: String) {
        endPart()
        part = (name, SHA256())
    }

    mutating func add(_ piece: ByteBuffer) {
        piece.withUnsafeReadableBytes { part?.content.update(bufferPointer: $0) }
    }

    /// Returns the digest. Call it after the last part.
    mutating func end() -> [UInt8] {
        endPart()
        return Array(whole.finalize())
    }

    private mutating func endPart() {
        guard let part else { return }
        // Digests have a fixed length, so no two forms are written alike.
        whole.update(data: Array(SHA256.hash(data: Array(part.name.utf8))))
        whole.update(data: Array(part.content.finalize()))
        self.part = nil
    }
}
