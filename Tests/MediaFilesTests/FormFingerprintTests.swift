import NIOCore
import ServiceTestSupport
import TestSupport
import Testing

@testable import GraphServices
@testable import MediaFiles

/// Digests of forms: equal for the same parts, however they are sent.
@Suite(.timeLimit(.unit))
struct FormFingerprintTests {
    private struct Chunks: AsyncIteratorProtocol {
        var left: ArraySlice<UInt8>
        let length: Int

        mutating func next() async throws -> ByteBuffer? {
            guard !left.isEmpty else { return nil }
            defer { left = left.dropFirst(length) }
            return ByteBuffer(bytes: left.prefix(length))
        }
    }

    private func fingerprint(_ form: FormText, chunk: Int = 1_000, skipping: Bool = false) async throws -> [UInt8] {
        let boundary = try MultipartBoundary.require(in: [form.contentType])
        var reader = MultipartReader(
            Chunks(left: form.bytes[...], length: chunk), boundary: boundary, limit: .max, isFingerprinted: true)
        while try await reader.nextPart() != nil {
            if !skipping { while try await reader.nextPiece() != nil {} }
        }
        let digest = reader.fingerprint()
        return try #require(digest)
    }

    private static func form(_ parts: [(String, String)], boundary: String = "b") -> FormText {
        var form = FormText(boundary: boundary)
        for (name, content) in parts { form.add(name, content) }
        return form
    }

    @Test func `boundary, chunks and file names do not count`() async throws {
        let parts = [("file", "some\r\n--content"), ("text", "")]
        let first = try await fingerprint(Self.form(parts))
        #expect(first.count == 32)
        #expect(try await fingerprint(Self.form(parts, boundary: "another one")) == first)
        #expect(try await fingerprint(Self.form(parts), chunk: 1) == first)
        #expect(try await fingerprint(Self.form(parts), skipping: true) == first)
        var named = FormText(boundary: "b")
        named.add("file", file: Array("some\r\n--content".utf8), named: "x.mp4")
        named.add("text", "")
        #expect(try await fingerprint(named) == first)
    }

    @Test func `any difference of the parts counts`() async throws {
        let forms: [[(String, String)]] = [
            [("a", "bc")], [("ab", "c")], [("a", "b"), ("a", "c")], [("a", "c"), ("a", "b")], [("a", "bc"), ("a", "")],
            [("a", "")], [("a", "bd")],
        ]
        var seen: Set<[UInt8]> = []
        for form in forms { seen.insert(try await fingerprint(Self.form(form))) }
        #expect(seen.count == forms.count)
    }

    @Test func `no digest is made unless it is asked for`() async throws {
        let form = Self.form([("a", "b")])
        var reader = MultipartReader(
            Chunks(left: form.bytes[...], length: 9), boundary: try MultipartBoundary.require(in: [form.contentType]),
            limit: .max)
        while try await reader.nextPart() != nil {}
        let digest = reader.fingerprint()
        #expect(digest == nil)
    }
}
