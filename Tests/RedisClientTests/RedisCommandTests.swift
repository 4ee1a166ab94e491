import TestSupport
import Testing

@testable import RedisClient

@Suite(.timeLimit(.unit))
struct RedisCommandTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let command: RedisCommand
        let arguments: [[UInt8]]

        init(_ name: String, _ arguments: [[UInt8]], _ build: (inout RedisCommand) -> Void) {
            testDescription = name
            var command = RedisCommand("GET")
            build(&command)
            self.command = command
            self.arguments = [Array("GET".utf8)] + arguments
        }
    }

    static let rows: [Row] = [
        Row("name only", []) { _ in },
        Row("text", [Array("clé".utf8)]) { $0.append("clé") },
        Row("empty arguments", [[], [], [1]]) {
            $0.append("")
            $0.append([UInt8]())
            $0.append([1])
        },
        Row("every byte", [Array(0...255)]) { $0.append(Array(0...255)) },
        Row("raw bytes", [[0, 13, 10, 0]]) { command in
            [UInt8]([0, 13, 10, 0]).withUnsafeBytes { command.append($0) }
        },
        Row("pieces", [Array("h:-3:17x".utf8), Array("next".utf8)]) {
            $0.append { argument in
                argument.write("h:")
                argument.write(integer: -3)
                argument.write(":")
                argument.write(integer: 17)
                argument.write([UInt8(ascii: "x")])
            }
            $0.append("next")
        },
        Row("no piece", [[]]) { $0.append { _ in } },
    ]

    @Test(arguments: rows)
    func `arguments are what was appended`(row: Row) {
        #expect(row.command.arguments == row.arguments)
    }

    @Test(arguments: [0, 1, -1, 9, 10, -10, 99, 100, 1 << 53, -(1 << 53), .max, .min] as [Int64])
    func `an integer is written in decimal`(value: Int64) {
        var command = RedisCommand("X")
        command.append(integer: value)
        #expect(command.arguments[1] == Array("\(value)".utf8))
        let parsed = command.arguments[1].withUnsafeBufferPointer { Int64(decimal: $0) }
        #expect(parsed == value)
    }

    @Test
    func `text arguments can be given at once`() {
        #expect(RedisCommand("SET", ["k", ""]).arguments == [Array("SET".utf8), Array("k".utf8), []])
        #expect(RedisCommand("SET", ["k", ""]).argumentCount == 3)
    }

    @Test(arguments: ["", "-", "+1", " 1", "1 ", "1.0", "1e3", "9223372036854775808", "-9223372036854775809", "--1"])
    func `what is not a 64-bit decimal is refused`(text: String) {
        let parsed = Array(text.utf8).withUnsafeBufferPointer { Int64(decimal: $0) }
        #expect(parsed == nil)
    }
}

extension RedisCommand {
    var arguments: [[UInt8]] {
        zip([0] + ends, ends).map { Array(bytes[$0..<$1]) }
    }
}
