/// One Redis command as a flat byte buffer and the end of each argument in it. An argument costs no allocation of its
/// own, and may contain any byte.
///
/// Members that build arguments can be inlined in other modules, because a push has some thousand keys.
package struct RedisCommand: Sendable, Equatable {
    @usableFromInline var bytes: [UInt8]
    /// `ends[i]` is the index behind the last byte of argument i; argument 0 is the command's name.
    @usableFromInline var ends: [Int]

    /// - Parameters:
    ///   - reservingArguments: how many arguments will follow the name.
    ///   - bytes: how many bytes they have altogether.
    package init(_ name: StaticString, reservingArguments: Int = 4, bytes: Int = 64) {
        self.bytes = []
        self.bytes.reserveCapacity(name.utf8CodeUnitCount + bytes)
        ends = []
        ends.reserveCapacity(1 + reservingArguments)
        self.bytes.append(name)
        ends.append(self.bytes.count)
    }

    /// Makes a command of text arguments, for cold paths and tests.
    package init(_ name: StaticString, _ arguments: [String]) {
        self.init(name, reservingArguments: arguments.count, bytes: arguments.reduce(0) { $0 + $1.utf8.count })
        for argument in arguments { append(argument) }
    }

    package var argumentCount: Int { ends.count }

    /// The name of the command, without its arguments.
    var name: String { String(decoding: bytes.prefix(ends.first ?? 0), as: UTF8.self) }

    /// Adds one argument of these bytes.
    @inlinable package mutating func append(_ argument: [UInt8]) {
        bytes.append(contentsOf: argument)
        ends.append(bytes.count)
    }

    package mutating func append(_ argument: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: argument)
        ends.append(bytes.count)
    }

    package mutating func append(_ argument: String) {
        bytes.append(contentsOf: argument.utf8)
        ends.append(bytes.count)
    }

    /// Adds one argument: the number in decimal, written straight into the buffer.
    @inlinable package mutating func append(integer: Int64) {
        bytes.append(decimal: integer)
        ends.append(bytes.count)
    }

    /// Adds one argument built from pieces, such as a key `h:3:17`, without a temporary.
    @inlinable package mutating func append(_ build: (inout RedisArgument) -> Void) {
        // The buffer moves into the writer and back; it is never shared, hence never copied.
        var argument = RedisArgument(bytes: [])
        swap(&argument.bytes, &bytes)
        build(&argument)
        swap(&argument.bytes, &bytes)
        ends.append(bytes.count)
    }
}

/// Writes the pieces of one argument; see ``RedisCommand/append(_:)``.
package struct RedisArgument: ~Copyable {
    @usableFromInline var bytes: [UInt8]

    @inlinable init(bytes: [UInt8]) { self.bytes = bytes }

    @inlinable package mutating func write(_ text: StaticString) {
        bytes.append(text)
    }

    @inlinable package mutating func write(_ piece: [UInt8]) {
        bytes.append(contentsOf: piece)
    }

    @inlinable package mutating func write(integer: Int64) {
        bytes.append(decimal: integer)
    }
}

extension [UInt8] {
    @inlinable mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { append(contentsOf: $0) }
    }

    @usableFromInline mutating func append(decimal integer: Int64) {
        // A sign and 19 digits, from the last to the first.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { text in
            var start = text.count
            var rest = integer.magnitude
            repeat {
                start -= 1
                text[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            if integer < 0 {
                start -= 1
                text[start] = UInt8(ascii: "-")
            }
            append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
        }
    }
}
