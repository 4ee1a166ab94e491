import Crypto
import HTTPTypes
import NIOCore
import TracingSpans

/// A validator of a representation (RFC 9110 §8.8.3).
package struct EntityTag: Sendable, Equatable {
    /// The tag as in `ETag`: `"…"`, or `W/"…"` if it is weak.
    package let text: String

    /// A strong tag.
    ///
    /// - Parameter opaque: without commas, quotation marks and white space.
    package init(strong opaque: String) { text = "\"\(opaque)\"" }

    /// A weak tag of a body, which the same body in another content coding shares.
    ///
    /// Half of SHA-256: nobody can write two posts with one tag, and it needs no code of ours.
    init(of body: ByteBuffer) {
        let (high, low) = SHA256.hash(data: body.readableBytesView).withUnsafeBytes { digest in
            (digest.loadUnaligned(as: UInt64.self), digest.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
        text = "W/\"\(high.bigEndian.hexadecimal)\(low.bigEndian.hexadecimal)\""
    }

    /// Returns true if `If-None-Match` lists the tag, so that the answer is 304; nil without that header.
    package func matches(_ headers: HTTPFields) -> Bool? {
        let lists = headers[values: .ifNoneMatch]
        return lists.isEmpty ? nil : lists.contains(where: isListed)
    }

    /// Returns true for `*`, or a list that has the tag by weak comparison.
    private func isListed(in list: String) -> Bool {
        let own = Self.opaque(text[...])
        return list.split(separator: ",").contains { element in
            let tag = element.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
            return tag == "*" || Self.opaque(tag) == own
        }
    }

    private static func opaque(_ tag: Substring) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag }
}
