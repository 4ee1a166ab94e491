import Database
import RedisClient
import SocialGraph

/// Encodes and decodes a whole sorted set of a window in Redis' dump format for a sorted set stored as a listpack, to
/// be read and restored in one piece. Adding the entries costs Redis several times as much.
///
/// The format is RDB version 10 (`rdb.c` and `listpack.c` of Redis 7.0), which later versions read.
enum WindowDump {
    private static let rdbVersion: UInt16 = 10
    fileprivate static let sortedSetListpack: UInt8 = 17
    /// Marks a length that follows as 32 bits, the most significant byte first.
    private static let length32: UInt8 = 0x80
    private static let listpackEnd: UInt8 = 0xFF
    /// The size of the type and the length in front of a listpack.
    private static let headerBytes = 6

    /// Returns nil if there are more entries than a listpack counts in its header, or if they are not in the order of
    /// Redis.
    ///
    /// - Parameters:
    ///   - entries: newest first, each post once.
    ///   - isComplete: whether the sentinel, member 0 of score 0, follows them.
    static func dump(of entries: [FeedEntry], isComplete: Bool) -> [UInt8]? {
        let elements = entries.count * 2 + (isComplete ? 2 : 0)
        let areInOrder = zip(entries, entries.dropFirst()).allSatisfy { $0.position > $1.position }
        guard elements < UInt16.max, areInOrder else { return nil }
        return [UInt8](unsafeUninitializedCapacity: elements * 10 + 64) { buffer, count in
            var bytes = ByteWriter(UnsafeMutableRawBufferPointer(buffer))
            begin(&bytes, elements: elements)
            for entry in entries { bytes.append(member: entry.post.rawValue, score: -entry.position.rawValue) }
            if isComplete { bytes.append(member: 0, score: 0) }
            end(&bytes)
            count = bytes.count
        }
    }

    private static func begin(_ bytes: inout ByteWriter, elements: Int) {
        bytes.append(sortedSetListpack)
        bytes.append(length32)
        bytes.append(littleEndian: 0, count: 8)
        bytes.append(littleEndian: UInt64(elements), count: 2)
    }

    /// Completes a dump after its last element.
    private static func end(_ bytes: inout ByteWriter) {
        bytes.append(listpackEnd)
        let size = UInt32(bytes.count - headerBytes)
        bytes.store(size.bigEndian, at: headerBytes - 4)
        bytes.store(size.littleEndian, at: headerBytes)
        bytes.append(littleEndian: UInt64(rdbVersion), count: 2)
        bytes.append(littleEndian: CRC64.checksum(of: bytes.written), count: 8)
    }

    /// Returns the dump of the newest `cap` entries of a window, if they are all in its tail. Returns nil unless the
    /// tail has so many entries, all at the positions of their posts and in order, and even the oldest of these is
    /// newer than `top`, the newest entry of the sorted set beside it.
    static func dump(ofTail tail: [UInt8], newest cap: Int, above top: FeedPosition) -> [UInt8]? {
        tail.withUnsafeBytes { tail in
            let words = (tail.count - WindowTail.stampBytes) / WindowTail.wordBytes
            func word(_ index: Int) -> UInt64 {
                let offset = WindowTail.stampBytes + index * WindowTail.wordBytes
                return UInt64(bigEndian: tail.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            }
            guard words >= cap, tail.count.isMultiple(of: WindowTail.wordBytes), cap * 2 < UInt16.max,
                word(words - cap) > UInt64(max(top.rawValue, 0))
            else { return nil }
            // A position of a reshare has the highest bit, so that the post behind it is not in order.
            var last: UInt64 = 0
            for index in 0..<words {
                guard word(index) > last else { return nil }
                last = word(index)
            }
            guard last <= UInt64(Int64.max) else { return nil }
            return [UInt8](unsafeUninitializedCapacity: cap * 20 + 64) { buffer, count in
                var bytes = ByteWriter(UnsafeMutableRawBufferPointer(buffer))
                begin(&bytes, elements: cap * 2)
                for index in (words - cap..<words).reversed() {
                    let post = Int64(bitPattern: word(index))
                    bytes.append(member: post, score: -post)
                }
                end(&bytes)
                count = bytes.count
            }
        }
    }
}

extension WindowDump {
    /// Returns the entries of a dump, newest first, and whether the sentinel follows them. Returns nil if the dump has
    /// another form: a skiplist, members that are no ids, or one of a later version.
    static func entries(of dump: UnsafeRawBufferPointer) -> (entries: [FeedEntry], isComplete: Bool)? {
        let compressed: UInt8 = 0xC3
        var bytes = ByteReader(dump)
        guard bytes.next() == sortedSetListpack else { return nil }
        guard bytes.peek() == compressed else {
            return length(&bytes).flatMap { bytes.take($0) }.flatMap(entries(ofListpack:))
        }
        _ = bytes.next()
        guard let packed = length(&bytes), let size = length(&bytes), let data = bytes.take(packed) else { return nil }
        return LZF.decompress(data, size: size)?.withUnsafeBytes(entries(ofListpack:))
    }

    /// Reads a length of 6, 14 or 32 bits.
    private static func length(_ bytes: inout ByteReader) -> Int? {
        guard let first = bytes.next() else { return nil }
        switch first >> 6 {
        case 0: return Int(first)
        case 1: return bytes.next().map { Int(first & 0x3F) << 8 | Int($0) }
        case 2 where first == length32: return bytes.take(4)?.reduce(0) { $0 << 8 | Int($1) }
        default: return nil
        }
    }

    private static func entries(ofListpack bytes: UnsafeRawBufferPointer) -> (entries: [FeedEntry], isComplete: Bool)? {
        // Its size and the number of its elements.
        let header = 6
        guard bytes.count > header else { return nil }
        var reader = ByteReader(UnsafeRawBufferPointer(rebasing: bytes[header...]))
        var entries: [FeedEntry] = []
        entries.reserveCapacity(bytes.count / 20)
        while let first = reader.peek(), first != listpackEnd {
            if let (post, score) = reader.wideEntry() {
                entries.append(FeedEntry(position: FeedPosition(rawValue: -score), post: PostID(rawValue: post)))
                continue
            }
            guard let post = reader.listpackInteger(), let score = reader.listpackInteger() else { return nil }
            if post == 0, score == 0 { return reader.peek() == listpackEnd ? (entries, true) : nil }
            entries.append(FeedEntry(position: FeedPosition(rawValue: -score), post: PostID(rawValue: post)))
        }
        return reader.peek() == listpackEnd ? (entries, false) : nil
    }
}

/// Reads bytes from front to back.
private struct ByteReader {
    private let bytes: UnsafeRawBufferPointer
    private var at = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    func peek() -> UInt8? { at < bytes.count ? bytes[at] : nil }

    mutating func next() -> UInt8? {
        guard at < bytes.count else { return nil }
        defer { at += 1 }
        return bytes[at]
    }

    mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
        guard count >= 0, count <= bytes.count - at else { return nil }
        defer { at += count }
        return UnsafeRawBufferPointer(rebasing: bytes[at..<at + count])
    }

    /// Reads a member and a score of eight bytes each; nil if the next two elements are not of that size.
    mutating func wideEntry() -> (member: Int64, score: Int64)? {
        let (type, bytesOfElement): (UInt8, Int) = (0xF4, 10)
        guard at + 2 * bytesOfElement <= bytes.count, bytes[at] == type, bytes[at + bytesOfElement] == type else {
            return nil
        }
        defer { at += 2 * bytesOfElement }
        return (
            Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: at + 1, as: Int64.self)),
            Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: at + bytesOfElement + 1, as: Int64.self))
        )
    }

    /// Reads an integer with its length behind it; nil if the element is something else.
    mutating func listpackInteger() -> Int64? {
        let long: (type: UInt8, bytes: Int) = (0xF4, 10)
        if at + long.bytes <= bytes.count, bytes[at] == long.type {
            defer { at += long.bytes }
            return Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: at + 1, as: Int64.self))
        }
        guard let first = next() else { return nil }
        let value: Int64
        switch first {
        case 0..<0x80: value = Int64(first)
        case 0xC0..<0xE0:
            guard let low = next() else { return nil }
            let bits = UInt16(first & 0x1F) << 8 | UInt16(low)
            value = Int64(Int16(bitPattern: bits << 3) >> 3)
        case 0xF1, 0xF2, 0xF3, 0xF4:
            let size = first == 0xF4 ? 8 : Int(first - 0xF1) + 2
            guard let data = take(size) else { return nil }
            let bits = data.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            value = Int64(bitPattern: bits << UInt64(64 - size * 8)) >> Int64(64 - size * 8)
        default: return nil
        }
        // The size of such an element fits one byte.
        return next() == nil ? nil : value
    }
}

/// The compression of strings in dumps: literal runs, and copies of earlier output (Marc Lehmann's LibLZF).
enum LZF {
    /// Returns nil unless `data` decompresses to exactly `size` bytes.
    static func decompress(_ data: UnsafeRawBufferPointer, size: Int) -> [UInt8]? {
        guard size <= 1 << 20 else { return nil }
        var output: [UInt8] = []
        output.reserveCapacity(size)
        var bytes = ByteReader(data)
        while let control = bytes.next() {
            guard control >= 32 else {
                guard let run = bytes.take(Int(control) + 1) else { return nil }
                output.append(contentsOf: run)
                continue
            }
            var count = Int(control >> 5) + 2
            if control >> 5 == 7 {
                guard let more = bytes.next() else { return nil }
                count += Int(more)
            }
            guard let low = bytes.next() else { return nil }
            let start = output.count - (Int(control & 0x1F) << 8 | Int(low)) - 1
            guard start >= 0, output.count + count <= size else { return nil }
            // The copy may overlap what it writes.
            for index in start..<start + count { output.append(output[index]) }
        }
        return output.count == size ? output : nil
    }
}

/// Writes bytes from front to back.
private struct ByteWriter {
    private let bytes: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    /// - Parameter bytes: Memory with room for eight bytes more than will be written.
    init(_ bytes: UnsafeMutableRawBufferPointer) { self.bytes = bytes }

    var written: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[..<count]) }

    mutating func append(_ byte: UInt8) {
        bytes[count] = byte
        count += 1
    }

    /// Appends the `size` lower bytes of a value.
    mutating func append(littleEndian value: UInt64, count size: Int) {
        bytes.storeBytes(of: value.littleEndian, toByteOffset: count, as: UInt64.self)
        count += size
    }

    func store(_ value: UInt32, at offset: Int) {
        bytes.storeBytes(of: value, toByteOffset: offset, as: UInt32.self)
    }

    /// Appends a member and its score, usually both of eight bytes.
    mutating func append(member: Int64, score: Int64) {
        guard member > 1 << 31, score < -(1 << 31) else {
            append(listpackElement: member)
            append(listpackElement: score)
            return
        }
        // Twice the type, eight bytes, and their length with the type: stored as 8, 8 and 4 bytes.
        let (type, size): (UInt64, UInt64) = (0xF4, 9)
        let (member, score) = (UInt64(bitPattern: member), UInt64(bitPattern: score))
        append(littleEndian: type | member << 8, count: 8)
        append(littleEndian: member >> 56 | size << 8 | type << 16 | score << 24, count: 8)
        append(littleEndian: score >> 40 | size << 24, count: 4)
    }

    /// Appends an integer and the length of its encoding in bytes.
    mutating func append(listpackElement value: Int64) {
        let bits = UInt64(bitPattern: value)
        switch value {
        case 0..<128:
            append(UInt8(value))
            append(1)
        case -4_096..<4_096:
            append(0xC0 | UInt8(truncatingIfNeeded: bits >> 8 & 0x1F))
            append(UInt8(truncatingIfNeeded: bits))
            append(2)
        default:
            let (type, size): (UInt8, Int) =
                switch value {
                case -0x8000..<0x8000: (0xF1, 2)
                case -0x80_0000..<0x80_0000: (0xF2, 3)
                case -0x8000_0000..<0x8000_0000: (0xF3, 4)
                default: (0xF4, 8)
                }
            append(type)
            append(littleEndian: bits, count: size)
            append(UInt8(size + 1))
        }
    }
}
