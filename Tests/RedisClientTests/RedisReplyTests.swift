import TestSupport
import Testing

@testable import RedisClient

/// Replies on the wire, and the values that a decode closure receives.
@Suite(.timeLimit(.unit))
struct RedisReplyTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let wire: String
        let seen: String
        var testDescription: String { wire.debugDescription }
    }

    static let rows: [Row] = [
        Row(wire: "+OK\r\n", seen: "status OK"),
        Row(wire: ":7\r\n", seen: "7"),
        Row(wire: ":9223372036854775807\r\n", seen: "9223372036854775807"),
        Row(wire: ":-9223372036854775808\r\n", seen: "-9223372036854775808"),
        Row(wire: "$5\r\na\0\r\nb\r\n", seen: "'a\0\r\nb'"),
        Row(wire: "$0\r\n\r\n", seen: "''"),
        Row(wire: "$-1\r\n", seen: "null"),
        Row(wire: "*-1\r\n", seen: "null"),
        Row(wire: "*0\r\n", seen: "[]"),
        Row(wire: "*3\r\n:1\r\n$-1\r\n*2\r\n$1\r\nx\r\n*1\r\n+y\r\n", seen: "[1, null, ['x', [status y]]]"),
        Row(wire: "*2\r\n-ERR inner\r\n:1\r\n", seen: "[error ERR inner, 1]"),
        Row(wire: "*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n:1\r\n", seen: "[[[[[[[1]]]]]]]"),
    ]

    @Test(arguments: rows)
    func `a reply is seen whole, wherever the wire splits it`(row: Row) async throws {
        let wire = Array(row.wire.utf8)
        let peer = try FakePeer { client, _ in
            try client.answerHandshake()
            for split in 0...wire.count {
                _ = try client.command()
                try client.write(pieces: [Array(wire[..<split]), Array(wire[split...])].filter { !$0.isEmpty })
            }
            _ = try client.command()
            try client.write(pieces: wire.map { [$0] })
            try client.echo()
        }
        try await withConnection(.peer(peer)) { connection in
            for _ in 0...(wire.count + 1) {
                let seen = try await connection.send(RedisCommand("X")) { try describe($0) }
                #expect(seen == row.seen)
            }
            try await connection.expectEchoes("after the replies")
        }
        peer.stop()
    }

    @Test(arguments: ["ERR", "NOSCRIPT", "LOADING", "FENCED"])
    func `an error reply is thrown with its first word`(word: String) async throws {
        let peer = try FakePeer { client, _ in
            try client.answerHandshake()
            _ = try client.command()
            try client.write("-\(word) and more\r\n")
            try client.echo()
        }
        try await withConnection(.peer(peer)) { connection in
            let error = await redisError { try await connection.send(RedisCommand("X")) { _ in } }
            #expect(error?.code == .server)
            #expect(error?.serverCode.map(String.init) == word)
            #expect(error?.message == "\(word) and more")
            #expect(error?.description.contains("more") == false)
            try await connection.expectEchoes("after an error reply")
        }
        peer.stop()
    }

    @Test
    func `replies to several commands are decoded together, errors and all, from one packet`() async throws {
        let peer = try FakePeer { client, _ in
            try client.answerHandshake()
            for _ in 0..<3 { _ = try client.command() }
            try client.write("+A\r\n-ERR b\r\n:3\r\n")
            try client.echo()
        }
        try await withConnection(.peer(peer)) { connection in
            let commands = Array(repeating: RedisCommand("X"), count: 3)
            let seen = try await connection.send(commands) { replies in
                guard code({ try replies.throwIfAnyError() }) == .server else { return ["no error thrown"] }
                return try (0..<replies.count).map { try describe(replies[$0]) }
            }
            #expect(seen == ["status A", "error ERR b", "3"])
            try await connection.expectEchoes("after several")
        }
        peer.stop()
    }

    @Test
    func `an accessor of another kind throws, and the connection stays`() async throws {
        let peer = try FakePeer { client, _ in
            try client.answerHandshake()
            while true {
                _ = try client.command()
                try client.write("*4\r\n:1\r\n$1\r\nx\r\n$-1\r\n-WRONGTYPE no\r\n")
            }
        }
        try await withConnection(.peer(peer)) { connection in
            let codes = try await connection.send(RedisCommand("X")) { reply in
                [
                    code { try reply.integer }, code { try reply.text }, code { try reply[4] }, code { try reply[-1] },
                    code { try reply[0].text }, code { try reply[0].count }, code { try reply[1].int64 },
                    code { try reply[2].int64 }, code { try reply[2].withBytes { $0.count } },
                    code { try reply[3].text }, code { try reply[3].throwIfError() },
                ]
            }
            #expect(codes == Array(repeating: .unexpectedReply, count: 9) + [.server, .server])
            let thrown = await redisError { try await connection.send(RedisCommand("X")) { try $0.text } }
            #expect(thrown?.code == .unexpectedReply)
            #expect(connection.state == .up)
        }
        peer.stop()
    }

    @Test
    func `a bulk string of 20 MB arrives whole`() async throws {
        let size = 20_000_000
        let peer = try FakePeer { client, _ in
            try client.answerHandshake()
            _ = try client.command()
            try client.write("$\(size)\r\n")
            try client.write([UInt8](repeating: 7, count: size) + [13, 10])
            try client.echo()
        }
        try await withConnection(.peer(peer)) { connection in
            let whole = try await connection.send(RedisCommand("X")) { reply in
                try reply.withBytes { $0.count == size && $0.allSatisfy { $0 == 7 } }
            }
            #expect(whole)
            try await connection.expectEchoes("after a huge reply")
        }
        peer.stop()
    }
}

private func describe(_ reply: RedisReplyView) throws -> String {
    switch reply.kind {
    case .bulk: "'\(try reply.text)'"
    case .array: "[\(try (0..<reply.count).map { try describe(reply[$0]) }.joined(separator: ", "))]"
    case .integer: "\(try reply.integer)"
    case .null: "null"
    case .status: "status \(try reply.text)"
    case .error: "error \(reply.error?.message ?? "")"
    }
}

private func code(_ body: () throws -> some Any) -> RedisError.Code? {
    do {
        _ = try body()
        return nil
    } catch {
        return (error as? RedisError)?.code
    }
}
