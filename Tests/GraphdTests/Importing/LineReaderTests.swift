import TestSupport
import Testing

@testable import graphd

@Suite(.timeLimit(.unit))
struct LineReaderTests {
    private func lines(_ bytes: [UInt8], chunk: Int) async throws -> [String] {
        try await withFile(bytes) { file, _ in
            var reader = LineReader(file: file, chunk: chunk)
            var lines: [String] = []
            while let line = try reader.next({ line, isWhole in
                String(decoding: line, as: UTF8.self) + (isWhole ? "" : "…")
            }) {
                lines.append(line)
                #expect(reader.lineNumber == lines.count)
            }
            return lines
        }
    }

    @Test(arguments: [1, 2, 3, 7, 4_096])
    func `lines come whole whatever the chunks are`(chunk: Int) async throws {
        let cases: [(String, [String])] = [
            ("", []), ("\n", [""]), ("a", ["a"]), ("a\n", ["a"]), ("a\r\nb\n\nc", ["a", "b", "", "c"]),
            ("\u{FEFF}a b\r\n", ["a b"]), ("a\rb\n", ["a\rb"]), ("\n\n", ["", ""]),
        ]
        for (text, expected) in cases {
            #expect(try await lines(Array(text.utf8), chunk: chunk) == expected, "\(text.debugDescription)")
        }
    }

    @Test(arguments: [1_000, 1 << 20])
    func `a line over the limit is cut and the next one is whole`(chunk: Int) async throws {
        let long = [UInt8](repeating: 0x61, count: LineReader.lineLimit + 5_000)
        let found = try await lines(Array("x\n".utf8) + long + Array("\ny\n".utf8) + long, chunk: chunk)
        #expect(
            found.map(\.count).enumerated().allSatisfy { $0.offset % 2 == 0 ? $0.element == 1 : $0.element > 60_000 })
        #expect(found.count == 4)
        #expect(found[1].hasSuffix("…") && found[3].hasSuffix("…"))
    }
}
