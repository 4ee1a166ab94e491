import TestSupport
import Testing

@testable import graphd

@Suite(.timeLimit(.unit))
struct CSVReaderTests {
    /// `line:field|field` for each record, `line!` for a malformed one.
    private func records(_ bytes: [UInt8], chunk: Int = 4_096) async throws -> [String] {
        try await withFile(bytes) { file, _ in
            var reader = CSVReader(file: file, chunk: chunk)
            var found: [String] = []
            while let record = try reader.next() {
                switch record.fields {
                case .success(let fields): found.append("\(record.line):" + fields.joined(separator: "|"))
                case .failure: found.append("\(record.line)!")
                }
            }
            return found
        }
    }

    @Test(arguments: [
        ("a,b\n1,2\n", ["1:a|b", "2:1|2"]),
        ("a,b\r\n1,2", ["1:a|b", "2:1|2"]),
        ("\u{FEFF}a,b\n", ["1:a|b"]),
        ("a\n\n\r\nb\n", ["1:a", "4:b"]),
        ("\"a,b\",\"c\"\"d\"\n", ["1:a,b|c\"d"]),
        ("\"one\ntwo\",x\nlast,y\n", ["1:one\ntwo|x", "3:last|y"]),
        ("\"one\r\ntwo\"\r\nlast\r\n", ["1:one\r\ntwo", "3:last"]),
        (",\n\"\",\n", ["1:|", "2:|"]),
        ("a\rb,c\n", ["1:a\rb|c"]),
        ("say \"hi\",x\n", ["1:say \"hi\"|x"]),
        ("\"a\"b,c\nd,e\n", ["1!", "2:d|e"]),
        ("\"a\"b,\"x\ny\"\nd,e\n", ["1!", "3:d|e"]),
        ("a,b\nc,\"d\ne,f\n", ["1:a|b", "2!"]),
        ("\"\"\n", ["1:"]),
        ("", []),
    ])
    func `records are read as RFC 4180 says, in chunks of any size`(text: String, expected: [String]) async throws {
        for chunk in [1, 2, 3, 5, 4_096] {
            #expect(try await records(Array(text.utf8), chunk: chunk) == expected, "chunk \(chunk)")
        }
    }

    @Test
    func `invalid UTF-8 spoils its record only`() async throws {
        #expect(try await records([0x61, 0x2C, 0xFF, 0x0A, 0x62, 0x0A]) == ["1!", "2:b"])
    }

    @Test
    func `the byte 0x00 spoils its record only`() async throws {
        #expect(try await records(Array("a,b\nc\0,d\n\"e\0\",f\ng,h\n".utf8)) == ["1:a|b", "2!", "3!", "4:g|h"])
    }

    @Test
    func `a record over the limit is refused and the next one is read`() async throws {
        let long = [UInt8](repeating: 0x78, count: CSVReader.recordLimit + 10)
        #expect(try await records(Array("a\n\"".utf8) + long + Array("\"\nb\n".utf8)) == ["1:a", "2!", "3:b"])
    }

    @Test(arguments: 0..<30)
    func `what is written with quotes is read back, at its line`(seed: UInt64) async throws {
        var generator = graphd.SeededGenerator(seed: seed)
        let alphabet = ["a", ",", "\"", "\n", "\r\n", "é", " ", "\r"]
        var text = ""
        var expected: [String] = []
        var line = 1
        for _ in 0..<100 {
            let fields = (0..<3).map { _ in (0..<generator.below(5)).map { _ in generator.pick(alphabet) }.joined() }
            expected.append("\(line):" + fields.joined(separator: "|"))
            let row = fields.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }.joined(separator: ",") + "\n"
            line += row.utf8.count { $0 == 0x0A }
            text += row
        }
        #expect(try await records(Array(text.utf8), chunk: 1 + generator.below(50)) == expected)
    }

    @Test(arguments: 0..<20)
    func `any bytes end in records`(seed: UInt64) async throws {
        var generator = graphd.SeededGenerator(seed: seed)
        let bytes = (0..<3_000).map { _ in generator.pick(Array("a,\"\r\n ".utf8) + [0xFF]) }
        let lines = bytes.count { $0 == 0x0A } + 1
        let found = try await records(bytes, chunk: 64)
        #expect(!found.isEmpty && found.count <= lines)
    }
}
