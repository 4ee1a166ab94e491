import NIOCore
import ServiceTestSupport
import TestSupport
import Testing

@testable import GraphServices
@testable import MediaFiles

@Suite(.timeLimit(.unit))
struct MultipartParserTests {
    /// Parses a body that arrives in the given chunks.
    private static func parse(_ chunks: [[UInt8]], boundary: String) throws -> [FormText.Part] {
        var parser = MultipartParser(boundary: try #require(MultipartBoundary(boundary)))
        var parts: [FormText.Part] = []
        var isOpen = false
        var hasEnded = false
        for chunk in chunks {
            parser.append(ByteBuffer(bytes: chunk))
            while let event = try parser.next() {
                #expect(!hasEnded)
                switch event {
                case .part(let part):
                    #expect(!isOpen)
                    isOpen = true
                    parts.append(.init(name: part.name, content: [], fileName: part.fileName))
                case .content(let piece):
                    #expect(isOpen && piece.readableBytes > 0)
                    parts[parts.count - 1].content += piece.readableBytesView
                case .partEnd:
                    #expect(isOpen)
                    isOpen = false
                case .end: hasEnded = true
                }
            }
        }
        try parser.finish()
        #expect(hasEnded && !isOpen)
        return parts
    }

    private static func parse(_ text: String, boundary: String = "b") throws -> [FormText.Part] {
        try parse([Array(text.utf8)], boundary: boundary)
    }

    private static func form() -> FormText {
        var form = FormText(boundary: "----b")
        form.add("empty", "")
        form.add("text", "line\r\n--\r\n----\r\n----b")
        form.add("file", file: [13, 10, 45, 45, 13, 13, 10, 0, 255, 13], named: "../../x")
        return form
    }

    @Test func `every split of a body gives the same parts`() throws {
        let form = Self.form()
        let bytes = form.bytes
        #expect(try Self.parse([bytes], boundary: form.boundary) == form.parts)
        #expect(try Self.parse(bytes.map { [$0] }, boundary: form.boundary) == form.parts)
        for first in 0...bytes.count {
            #expect(
                try Self.parse([Array(bytes[..<first]), Array(bytes[first...])], boundary: form.boundary) == form.parts)
            for second in stride(from: first, through: bytes.count, by: 7) {
                let chunks = [bytes[..<first], bytes[first..<second], bytes[second...]].map(Array.init)
                #expect(try Self.parse(chunks, boundary: form.boundary) == form.parts, "\(first) \(second)")
            }
        }
    }

    @Test func `every body that is cut off is refused`() throws {
        let form = Self.form()
        // The last CRLF may be missing.
        for count in 0..<(form.bytes.count - 2) {
            let error = #expect(throws: Problem.self) {
                try Self.parse([Array(form.bytes.prefix(count))], boundary: form.boundary)
            }
            #expect(error?.code == .malformedMultipart, "\(count)")
        }
    }

    /// Random contents that contain pieces of delimiters, in chunks of random sizes.
    @Test(arguments: 1...40)
    func `random forms come back as they were`(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let boundary = String(
            (0..<Int.random(in: 1...70, using: &generator)).map { _ in "-=b".randomElement(using: &generator)! })
        var form = FormText(boundary: boundary)
        let pieces: [[UInt8]] = [
            [13], [10], [45], Array("\r\n".utf8), Array("\r\n--".utf8), Array("\r\n--\(boundary.dropLast())".utf8),
            Array(boundary.utf8), [0], [200],
        ]
        for index in 0..<Int.random(in: 0...12, using: &generator) {
            var content: [UInt8] = []
            for _ in 0..<Int.random(in: 0...60, using: &generator) {
                content += pieces.randomElement(using: &generator)!
            }
            // A client must not choose a boundary that occurs in the content.
            let delimiter = "\r\n--\(boundary)"
            guard !String(decoding: "\r\n".utf8 + content, as: UTF8.self).contains(delimiter) else { continue }
            form.parts.append(.init(name: "n\(index)", content: content, fileName: index % 2 == 0 ? nil : "f"))
        }
        let preamble: [UInt8] = Bool.random(using: &generator) ? Array("\r\n".utf8) : []
        let epilogue: [UInt8] = Bool.random(using: &generator) ? Array("--\(boundary)\r\nmore".utf8) : []
        var rest = (preamble + form.bytes + epilogue)[...]
        var chunks: [[UInt8]] = []
        while !rest.isEmpty {
            let count = Int.random(in: 1...40, using: &generator)
            chunks.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        #expect(try Self.parse(chunks, boundary: boundary) == form.parts, "boundary \(boundary)")
    }

    @Test(arguments: 1...200)
    func `random bytes are refused or read and never hang`(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let words = [
            "--b", "\r\n", "\r\n--b", "--", "Content-Disposition: form-data; name=\"a\"", "\r\n\r\n", ":", " ", "\"",
            "\\", "a",
            "\u{0}", ";", "=",
        ]
        var text = "--b\r\n"
        for _ in 0..<Int.random(in: 0...80, using: &generator) { text += words.randomElement(using: &generator)! }
        do {
            _ = try Self.parse(text.utf8.map { [$0] }, boundary: "b")
        } catch let problem as Problem {
            #expect(problem.code == .malformedMultipart)
        }
    }

    @Test(arguments: [
        ("--c\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n--c--", "does not begin with the boundary"),
        ("", "does not begin with the boundary"),
        ("--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n--b", "cut off"),
        ("--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx", "cut off"),
        (
            "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n--bc\r\n--b--",
            "choose a boundary that occurs in no part"
        ),
        (
            "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n--b-\r\n--b--",
            "choose a boundary that occurs in no part"
        ),
        ("--b\nContent-Disposition: form-data; name=\"a\"\n\nx\n--b--", "choose a boundary that occurs in no part"),
        ("--b\r\nContent-Disposition: form-data; name=\"\"\r\n\r\nx\r\n--b--", "Every part must have"),
        ("--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--", "Every part must have"),
        ("--b\r\nContent-Disposition: attachment; name=\"a\"\r\n\r\nx\r\n--b--", "Every part must have"),
        ("--b\r\nContent-Disposition: form-data; name=\"a\r\n\r\nx\r\n--b--", "Every part must have"),
        ("--b\r\nContent-Type: text/plain\r\n\r\nx\r\n--b--", "Every part must have"),
        ("--b\r\nContent-Disposition: form-data; name=a; name=b\r\n\r\nx\r\n--b--", "Every part must have"),
        ("--b\r\n\r\nx\r\n--b--\r\n\r\n", "must be \"name: value\""),
        ("--b\r\nContent-Disposition form-data\r\n\r\nx\r\n--b--", "must be \"name: value\""),
        ("--b\r\nA: b\r\n folded\r\n\r\nx\r\n--b--", "must be \"name: value\""),
        ("--b\r\nA: b\r\na: c\r\n\r\nx\r\n--b--", "must not repeat a header"),
        ("--b\r\nContent-Disposition: form-data; name=\"a\u{0}\"\r\n\r\nx\r\n--b--", "without NUL"),
        (
            "--b\r\nContent-Disposition: form-data; name=a\r\nContent-Type: multipart/mixed\r\n\r\n--c--\r\n--b--",
            "must not be multipart itself"
        ),
        (
            "--b\r\nContent-Disposition: form-data; name=a\r\nContent-Transfer-Encoding: base64\r\n\r\neA==\r\n--b--",
            "without a Content-Transfer-Encoding"
        ),
    ])
    func `a malformed body is refused with its reason`(_ body: String, _ reason: String) {
        let error = #expect(throws: Problem.self) { try Self.parse(body) }
        #expect(error?.code == .malformedMultipart)
        #expect(error?.detail.contains(reason) == true, "\(error?.detail ?? "nothing")")
    }

    @Test(arguments: [
        ("name=\"a b\"; filename=\"x.mp4\"", "a b", "x.mp4"),
        (" NAME = a", nil, nil), ("name=a;", "a", nil),
        ("name=\"a\\\"b\"; filename=\"C:\\dir\\x\"", "a\"b", "C:\\dir\\x"),
        ("name=\"a%22b%0D%0Ac\"; filename*=UTF-8''y", "a\"b\r\nc", nil),
        ("name=\"日本\"; filename=\"\"", "日本", ""),
    ])
    func `names are read as browsers write them`(_ parameters: String, _ name: String?, _ fileName: String?) throws {
        let body = "--b \t\r\ncontent-DISPOSITION:  Form-Data; \(parameters)\r\n\r\nx\r\n--b--"
        guard let name else {
            #expect(throws: Problem.self) { try Self.parse(body) }
            return
        }
        #expect(try Self.parse(body) == [.init(name: name, content: [UInt8(ascii: "x")], fileName: fileName)])
    }

    @Test func `an empty part needs no line of its own`() throws {
        let head = "--b\r\nContent-Disposition: form-data; name=a\r\n\r\n"
        #expect(try Self.parse(head + "--b--") == [.init(name: "a", content: [])])
        #expect(try Self.parse(head + "\r\n--b--") == [.init(name: "a", content: [])])
        #expect(try Self.parse("--b--") == [])
    }

    @Test func `headers, parts and preambles are bounded`() throws {
        let head = "--b\r\nContent-Disposition: form-data; name=a\r\n"
        let limit = RequestLimits.multipartHeaderBytes
        let long = String(repeating: "x", count: limit)
        #expect(throws: Problem.self) { try Self.parse(head + "A: \(long)\r\n\r\n\r\n--b--") }
        #expect(throws: Problem.self) { try Self.parse("--b\(long.replacing("x", with: " ")) \r\n") }
        #expect(throws: Problem.self) { try Self.parse("\(long)\r\n" + head + "\r\n\r\n--b--") }
        // A line without an end is refused as well, so that the buffered bytes stay limited.
        #expect(throws: Problem.self) { try Self.parse(head + "A: \(long)") }
        let many = String(repeating: head + "\r\n\r\n", count: RequestLimits.multipartParts)
        #expect(try Self.parse(many + "--b--").count == RequestLimits.multipartParts)
        #expect(throws: Problem.self) { try Self.parse(many + head + "\r\n\r\n--b--") }
    }

    /// Uses the worst content: every line end may begin a delimiter.
    @Test func `content is handed on at once`() throws {
        var parser = MultipartParser(boundary: try #require(MultipartBoundary("b")))
        parser.append(ByteBuffer(string: "--b\r\nContent-Disposition: form-data; name=a\r\n\r\n"))
        let chunk = ByteBuffer(bytes: (0..<65_536).map { $0 % 2 == 0 ? 13 : 10 } as [UInt8])
        _ = try parser.next()
        for _ in 0..<16 {
            parser.append(chunk)
            var count = 0
            while case .content(let piece)? = try parser.next() { count += piece.readableBytes }
            #expect(abs(count - chunk.readableBytes) <= 5)
        }
    }
}
