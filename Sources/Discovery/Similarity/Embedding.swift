import Database
import SocialGraph

/// A direction that an app's model has computed for a post: a vector of length 1, so that the product of two is the
/// cosine of their angle.
package struct Embedding: Sendable, Equatable {
    package let components: [Float]

    package var dimension: Int { components.count }

    /// Normalises a vector of any length. Nil for a vector without a direction: no components, all zero, or one
    /// infinite or not a number.
    package init?(directionOf vector: [Double]) {
        guard vector.allSatisfy(\.isFinite), let largest = vector.lazy.map(\.magnitude).max(), largest > 0 else {
            return nil
        }
        // Scaling first keeps very large and very small numbers from being lost when squared.
        let scaled = vector.map { $0 / largest }
        let length = scaled.reduce(0) { $0 + $1 * $1 }.squareRoot()
        components = scaled.map { Float($0 / length) }
    }

    /// Decodes ``bytes``. Throws ``DatabaseError/storageCorrupt(detail:)`` for bytes that it cannot have written.
    init(bytes: [UInt8]) throws {
        guard !bytes.isEmpty, bytes.count.isMultiple(of: 4) else {
            throw DatabaseError.undecodable(Embedding.self, "\(bytes.count) bytes")
        }
        components = bytes.withUnsafeBytes { buffer in
            stride(from: 0, to: buffer.count, by: 4).map {
                Float(
                    bitPattern: UInt32(littleEndian: buffer.loadUnaligned(fromByteOffset: $0, as: UInt32.self)))
            }
        }
    }

    /// Encoded components: 4 bytes for each, least significant first.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(components.count * 4)
        for component in components {
            withUnsafeBytes(of: component.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }
}

/// The embedding of one post.
package struct PostEmbedding: Sendable, Equatable {
    package let post: PostID
    package let embedding: Embedding

    package init(post: PostID, embedding: Embedding) {
        self.post = post
        self.embedding = embedding
    }
}
