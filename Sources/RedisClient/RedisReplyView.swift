import CHiredis

/// A reply as libhiredis holds it, lent to a decode closure.
///
/// Valid only inside that closure. It cannot escape by accident: it is not `Sendable`, while the closure and everything
/// that it returns or captures are. Every accessor throws: `.server` if Redis answered with an error at this place,
/// else `.unexpectedReply` if the reply is of another kind.
package struct RedisReplyView {
    package enum Kind: Sendable, Equatable {
        case bulk, array, integer, null, status, error
    }

    fileprivate let reply: UnsafeMutablePointer<redisReply>

    package var kind: Kind {
        switch reply.pointee.type {
        case REDIS_REPLY_STRING: .bulk
        case REDIS_REPLY_ARRAY: .array
        case REDIS_REPLY_INTEGER: .integer
        case REDIS_REPLY_STATUS: .status
        case REDIS_REPLY_ERROR: .error
        // libhiredis 0.14 makes no other kinds: it treats any other byte as a protocol error.
        default: .null
        }
    }

    package var isNull: Bool { kind == .null }

    /// The error that Redis answered with at this place; nil: there is none. Errors inside arrays count only for
    /// themselves.
    package var error: RedisError? {
        kind == .error ? RedisError(.server, String(decoding: characters, as: UTF8.self)) : nil
    }

    package func throwIfError() throws {
        if let error { throw error }
    }

    /// The value of an integer reply.
    package var integer: Int64 {
        get throws {
            guard kind == .integer else { throw mismatch("an integer") }
            return reply.pointee.integer
        }
    }

    /// The value of an integer reply, or of a bulk string or status that is a decimal number within 64 bits.
    package var int64: Int64 {
        get throws {
            if kind == .integer { return reply.pointee.integer }
            guard let value = try Int64(decimal: bytes) else { throw RedisError.unexpected("a decimal number") }
            return value
        }
    }

    /// Copies a bulk string or status.
    package var text: String {
        get throws { String(decoding: try bytes, as: UTF8.self) }
    }

    /// Copies the bulk strings of an array.
    package var texts: [String] {
        get throws { try (0..<count).map { try self[$0].text } }
    }

    /// Lends the bytes of a bulk string or status.
    package func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) throws -> R {
        try body(UnsafeRawBufferPointer(bytes))
    }

    /// The number of elements of an array.
    package var count: Int {
        get throws {
            guard kind == .array else { throw mismatch("an array") }
            return reply.pointee.elements
        }
    }

    /// The element of an array; throws `.unexpectedReply` if there are fewer.
    package subscript(index: Int) -> RedisReplyView {
        get throws {
            guard index >= 0, index < (try count), let element = reply.pointee.element[index] else {
                throw RedisError.unexpected("a longer array")
            }
            return RedisReplyView(reply: element)
        }
    }

    private var bytes: UnsafeBufferPointer<UInt8> {
        get throws {
            guard kind == .bulk || kind == .status else { throw mismatch("a string") }
            return characters
        }
    }

    private var characters: UnsafeBufferPointer<UInt8> {
        UnsafeRawBufferPointer(start: reply.pointee.str, count: reply.pointee.len).assumingMemoryBound(to: UInt8.self)
    }

    private func mismatch(_ expected: StaticString) -> RedisError {
        error ?? RedisError.unexpected(expected)
    }
}

@available(*, unavailable)
extension RedisReplyView: Sendable {}

/// The replies to the commands of one ``RedisConnection/send(_:timeout:decode:)-(Array,_,_)``, in their order. The
/// rules of ``RedisReplyView`` apply.
package struct RedisReplies {
    fileprivate let replies: UnsafeBufferPointer<UnsafeMutablePointer<redisReply>>

    package var count: Int { replies.count }

    /// - Precondition: `index` is that of a command that was sent.
    package subscript(index: Int) -> RedisReplyView { RedisReplyView(reply: replies[index]) }

    /// Throws the first error among the replies.
    package func throwIfAnyError() throws {
        for index in 0..<count { try self[index].throwIfError() }
    }
}

@available(*, unavailable)
extension RedisReplies: Sendable {}

/// Holds replies until their entry is complete.
final class RedisReplyBatch {
    /// The memory of the replies.
    let arena = RedisReplyArena()
    private var replies: [UnsafeMutablePointer<redisReply>] = []

    var count: Int { replies.count }

    func append(_ reply: UnsafeMutableRawPointer) {
        replies.append(reply.assumingMemoryBound(to: redisReply.self))
    }

    /// Lends all the replies to `body`, which ends their life.
    func consume(_ body: (RedisReplies) -> Void) {
        replies.withUnsafeBufferPointer { body(RedisReplies(replies: $0)) }
        replies.removeAll(keepingCapacity: true)
        arena.reset()
    }
}

extension Int64 {
    /// Parses strictly: an optional minus sign and digits, within 64 bits.
    init?(decimal bytes: UnsafeBufferPointer<UInt8>) {
        let isNegative = bytes.first == UInt8(ascii: "-")
        let digits = bytes.dropFirst(isNegative ? 1 : 0)
        guard !digits.isEmpty else { return nil }
        var value: Int64 = 0
        if digits.count <= 18 {
            // Ids and positions: a sum of so few digits cannot overflow.
            for byte in digits {
                guard (48...57).contains(byte) else { return nil }
                value = value &* 10 &+ Int64(byte &- 48)
            }
            self = isNegative ? -value : value
            return
        }
        for byte in digits {
            guard (48...57).contains(byte) else { return nil }
            let (product, tooLarge) = value.multipliedReportingOverflow(by: 10)
            let digit = Int64(byte - 48)
            // The sum grows towards the sign, so that Int64.min can be read.
            let (sum, tooFar) =
                isNegative
                ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
            if tooLarge || tooFar { return nil }
            value = sum
        }
        self = value
    }
}
