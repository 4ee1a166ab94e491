import Database
import SocialGraph

/// A post recommended to a user.
package struct Recommendation: Sendable, Equatable {
    package let post: PostID
    /// Score from 0 to 1, in ten-thousandths: the score behind the post's place, after the reduction for diversity.
    package let score: Double
    /// At least one reason, weightiest first.
    package let reasons: [RecommendationReason]

    package init(post: PostID, score: Double, reasons: [RecommendationReason]) {
        self.post = post
        self.score = (score * 10_000).rounded() / 10_000
        self.reasons = reasons
    }

    /// Returns the recommendation without the reasons that name a post which is not `shown`.
    func naming(_ shown: (PostID) -> Bool) -> Recommendation {
        let told = reasons.filter { $0.post.map(shown) ?? true }
        return Recommendation(
            post: post, score: score, reasons: told.isEmpty ? [RecommendationReason(.everybody)] : told)
    }
}

/// Recommendations as bytes, least significant first. Each has the post, the score in ten-thousandths, and the number
/// of reasons followed by the reasons. A reason has its kind, the ids it names (0 for none), and a text of up to 255
/// bytes.
enum RecommendationCoding {
    private static let scale = 10_000.0

    static func bytes(of list: [Recommendation]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(list.count * 40)
        for item in list {
            append(item.post.rawValue, to: &bytes)
            append(UInt16(clamping: Int((item.score * scale).rounded())), to: &bytes)
            bytes.append(UInt8(item.reasons.count))
            for reason in item.reasons {
                bytes.append(UInt8(RecommendationReason.Kind.allCases.firstIndex(of: reason.kind) ?? 0))
                append(reason.post?.rawValue ?? 0, to: &bytes)
                append(reason.user?.rawValue ?? 0, to: &bytes)
                let text = (reason.value ?? "").utf8
                bytes.append(UInt8(text.count))
                bytes.append(contentsOf: text)
            }
        }
        return bytes
    }

    /// Throws ``DatabaseError/storageCorrupt(detail:)`` for bytes that ``bytes(of:)`` cannot have written.
    static func list(in bytes: [UInt8]) throws -> [Recommendation] {
        var reader = ByteReader(bytes: bytes[...])
        var list: [Recommendation] = []
        while !reader.bytes.isEmpty {
            let post = PostID(rawValue: try reader.integer(Int64.self))
            let score = Double(try reader.integer(UInt16.self)) / scale
            let reasons = try (0..<Int(try reader.integer(UInt8.self))).map { _ in try reason(&reader) }
            list.append(Recommendation(post: post, score: score, reasons: reasons))
        }
        return list
    }

    private static func reason(_ reader: inout ByteReader) throws -> RecommendationReason {
        let kinds = RecommendationReason.Kind.allCases
        let kind = Int(try reader.integer(UInt8.self))
        guard kinds.indices.contains(kind) else { throw ByteReader.malformed }
        let (post, user) = (try reader.integer(Int64.self), try reader.integer(Int64.self))
        let text = try reader.text(Int(try reader.integer(UInt8.self)))
        return RecommendationReason(
            kinds[kind], post: post == 0 ? nil : PostID(rawValue: post),
            user: user == 0 ? nil : UserID(rawValue: user), value: text.isEmpty ? nil : text)
    }

    private static func append<Value: FixedWidthInteger>(_ value: Value, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
}

private struct ByteReader {
    static let malformed = DatabaseError.storageCorrupt(detail: "A stored list of recommendations is malformed.")

    var bytes: ArraySlice<UInt8>

    mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
        let size = Value.bitWidth / 8
        guard bytes.count >= size else { throw Self.malformed }
        defer { bytes = bytes.dropFirst(size) }
        return bytes.prefix(size).reversed().reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
    }

    mutating func text(_ count: Int) throws -> String {
        guard bytes.count >= count else { throw Self.malformed }
        defer { bytes = bytes.dropFirst(count) }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
