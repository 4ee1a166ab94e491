import Database
import SocialGraph

/// An order of posts at one moment, stored so that its pages agree while the ranks move.
package struct Ranking: Sendable, Equatable {
    package let id: Int64
    package let name: String
    /// Time of creation, in milliseconds since 1970.
    package let createdAt: Int64
    /// Posts, best first, each once.
    package let posts: [PostID]

    package init(id: Int64, name: String, createdAt: Int64, posts: [PostID]) {
        self.id = id
        self.name = name
        self.createdAt = createdAt
        self.posts = posts
    }
}

/// Post ids as bytes: 8 for each, least significant first.
enum RankingCoding {
    static func bytes(of posts: [PostID]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(posts.count * 8)
        for post in posts { withUnsafeBytes(of: post.rawValue.littleEndian) { bytes.append(contentsOf: $0) } }
        return bytes
    }

    static func posts(in bytes: [UInt8]) throws -> [PostID] {
        guard bytes.count.isMultiple(of: 8) else {
            throw DatabaseError.undecodable(RankingCoding.self, "\(bytes.count) bytes")
        }
        return bytes.withUnsafeBytes { buffer in
            stride(from: 0, to: buffer.count, by: 8).map {
                PostID(rawValue: Int64(littleEndian: buffer.loadUnaligned(fromByteOffset: $0, as: Int64.self)))
            }
        }
    }
}
