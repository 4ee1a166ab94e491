import Database
import SocialGraph

/// The string beside the sorted set of a window: the entries pushed since the sorted set was written, in order of
/// arrival. A push appends to it and looks at nothing.
///
/// The first eight bytes are a stamp, which changes whenever the window changes otherwise than by an append. Then come
/// words of eight bytes, the most significant first. An entry at its post's own position is one word, the post's id.
/// Any other is its position with the highest bit set, then the post's id. Positions and ids have 53 bits.
///
/// An entry may occur twice, and a post at several positions, of which the smallest counts. Entries below the last one
/// of the sorted set do not count.
struct WindowTail {
    static let stampBytes = 8
    static let wordBytes = 8
    private static let isReshare: UInt64 = 1 << 63

    let stamp: [UInt8]
    private(set) var entries: [FeedEntry] = []
    /// The size of the string.
    let bytes: Int

    /// Fails if the string is no tail.
    init?(_ string: UnsafeRawBufferPointer) {
        stamp = Array(string.prefix(Self.stampBytes))
        bytes = string.count
        entries.reserveCapacity(string.count / Self.wordBytes)
        guard Self.visit(string, { entries.append($0) }) else { return nil }
    }

    /// Calls `body` with each entry of a tail, in order of arrival. Returns false if the string is no tail.
    static func visit(_ string: UnsafeRawBufferPointer, _ body: (FeedEntry) -> Void) -> Bool {
        guard string.count >= stampBytes, string.count % wordBytes == 0 else { return false }
        func word(_ at: Int) -> UInt64 {
            UInt64(bigEndian: string.loadUnaligned(fromByteOffset: at, as: UInt64.self))
        }
        var at = stampBytes
        while at < string.count {
            let first = word(at)
            at += wordBytes
            guard first & isReshare != 0 else {
                body(FeedEntry(PostID(rawValue: Int64(bitPattern: first))))
                continue
            }
            guard at < string.count else { return false }
            let position = FeedPosition(rawValue: Int64(bitPattern: first & ~isReshare))
            body(FeedEntry(position: position, post: PostID(rawValue: Int64(bitPattern: word(at)))))
            at += wordBytes
        }
        return true
    }

    /// The words of `entries`, to be appended to tails.
    static func words(of entries: some Collection<FeedEntry>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(entries.count * wordBytes * 2)
        for entry in entries {
            if entry.position.rawValue != entry.post.rawValue {
                let position = UInt64(bitPattern: entry.position.rawValue) | isReshare
                withUnsafeBytes(of: position.bigEndian) { bytes.append(contentsOf: $0) }
            }
            withUnsafeBytes(of: entry.post.rawValue.bigEndian) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }

    /// The last word of every entry of `post`.
    static func word(of post: PostID) -> [UInt8] { withUnsafeBytes(of: post.rawValue.bigEndian) { Array($0) } }
}
