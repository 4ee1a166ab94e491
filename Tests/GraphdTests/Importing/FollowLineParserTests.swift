import TestSupport
import Testing

@testable import CommandSupport
@testable import graphd

@Suite(.timeLimit(.unit))
struct FollowLineParserTests {
    /// The outcome of each line of `bytes`: `a>b`, `-` for a skipped line, `!` and the reason for a malformed one.
    private func outcomes(_ bytes: [UInt8]) throws -> [String] {
        var parser = FollowLineParser()
        return try bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
            try Array(line).withUnsafeBufferPointer { line in
                switch try parser.parse(line, isWhole: true) {
                case .edge(let edge): "\(edge.follower)>\(edge.followee)"
                case .skipped: "-"
                case .malformed(let problem): "!" + problem.text
                }
            }
        }
    }

    private func outcomes(_ text: String) throws -> [String] { try outcomes(Array(text.utf8)) }

    @Test(arguments: [
        ("1 2\n3\t4\n  5   6  ", ["u1>u2", "u3>u4", "u5>u6"]),
        ("# people\n\nann bob\n   \n#x\nbob ann", ["-", "-", "ann>bob", "-", "-", "bob>ann"]),
        ("follower,followee\n1,2\nann,bob", ["-", "u1>u2", "ann>bob"]),
        ("followee,follower\n1,2", ["-", "u2>u1"]),
        ("Followee , FOLLOWER\n 1 , 2 ", ["-", "u2>u1"]),
        ("\"follower\",\"followee\"\n\"1\",\"2\"\n1,\"b.c\"", ["-", "u1>u2", "u1>b.c"]),
        ("id,follower,at,followee\n9,1,x,2\n9,1,\"x,y\",2", ["-", "u1>u2", "u1>u2"]),
        ("follower followee\nann bob", ["-", "ann>bob"]),
        ("007 7", ["u007>u7"]),
        ("1 2\r", ["u1>u2"]),
    ])
    func `both formats are read`(text: String, expected: [String]) throws {
        #expect(try outcomes(text) == expected)
    }

    @Test(arguments: [
        ("1 2\n1", "it has 1 word"),
        ("1 2\n1 2 3", "it has 3 words"),
        ("1 2\n3 3", "\"u3\" follows itself"),
        ("1 2\nann ANN", "\"ann\" follows itself"),
        ("1 2\nu3 3", "\"u3\" follows itself"),
        ("1 2\nann b/b", "\"b/b\" is not a username"),
        ("1 2\n-5 6", "\"-5\" is not a username"),
        ("1 2\nann " + String(repeating: "b", count: 31), "is not a username"),
        ("1 2\nann " + String(repeating: "9", count: 30), "followee has 30 digits"),
        ("follower,followee\n1", "it has 1 column"),
        ("follower,followee\n1,2,3", "it has 3 columns"),
        ("follower,followee\n,2", "follower is empty"),
        ("follower,followee\n1, ", "followee is empty"),
        ("follower,followee\n1,\"2", "a quotation mark is not closed"),
        ("follower,followee\n\"1\"x,2", "text follows a closing quotation mark"),
        ("follower,followee\n\"1\",2,3", "it has 3 columns"),
    ])
    func `a malformed line says what is wrong and what would be right`(text: String, wrong: String) throws {
        let last = try #require(try outcomes(text).last)
        #expect(last.hasPrefix("!") && last.contains(wrong), "\(last)")
        #expect(last.contains("; "))
    }

    @Test(arguments: [[0xFF, 0x20, 0x61], [0x61, 0x20, 0xC3], [0x61, 0x20, 0x00]] as [[UInt8]])
    func `bytes that are no text are malformed`(line: [UInt8]) throws {
        let last = try #require(try outcomes(Array("1 2\n".utf8) + line).last)
        #expect(last.hasPrefix("!"))
    }

    @Test(arguments: [
        "1,2\n3,4", "follower,followed", "follower,follower,followee", "\"follower,followee", "followee follower",
    ])
    func `a first line that decides nothing stops the import`(text: String) {
        #expect(throws: CommandFailure.self) { try outcomes(text) }
    }

    @Test
    func `a cut line is malformed`() throws {
        var parser = FollowLineParser()
        let outcome = try Array("1 2".utf8).withUnsafeBufferPointer { try parser.parse($0, isWhole: false) }
        guard case .malformed = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    @Test(arguments: 0..<20)
    func `any bytes are read or refused, under their own line number`(seed: UInt64) async throws {
        var generator = graphd.SeededGenerator(seed: seed)
        let alphabet: [UInt8] = Array("a1,\"# \t\r\n\n.\u{FEFF}é".utf8) + [0x00, 0xFF]
        let noise = (0..<2_000).map { _ in generator.pick(alphabet) }
        let bytes = Array("follower,followee\n".utf8) + noise + Array("\nlast,line\n".utf8)
        try await withFile(bytes) { file, _ in
            var reader = LineReader(file: file, chunk: 64)
            var parser = FollowLineParser()
            var edges: [(Int, FollowEdge)] = []
            while let outcome = try reader.next({ try parser.parse($0, isWhole: $1) }) {
                if case .edge(let edge) = outcome { edges.append((reader.lineNumber, edge)) }
            }
            #expect(edges.last?.1.follower == "last")
            #expect(edges.last?.0 == bytes.count { $0 == 0x0A })
        }
    }
}
