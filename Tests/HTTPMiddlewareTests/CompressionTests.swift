import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import TestSupport
import Testing

@testable import HTTPMiddleware

@Suite(.timeLimit(.unit))
struct CompressionTests {
    private func send(
        _ body: ResponseBody, accepting: String? = "gzip", method: HTTPRequest.Method = .get,
        headers: HTTPFields = [.contentType: "application/json; charset=utf-8"]
    ) async throws -> TestResponse {
        let router = Router(options: .autoGenerateHeadEndpoints)
        router.add(middleware: Compression())
        for method in [HTTPRequest.Method.get, .post] {
            router.on("/thing", method: method) { _, _ in Response(status: .ok, headers: headers, body: body) }
        }
        return try await Application(router: router).test(.router) { client in
            try await client.execute(
                uri: "/thing", method: method, headers: accepting.map { [.acceptEncoding: $0] } ?? [:])
        }
    }

    private func body(_ count: Int) -> ResponseBody {
        let words = (0..<count / 4 + 1).map { "\"\($0 % 91)é\"," }.joined().utf8.prefix(count)
        return ResponseBody(byteBuffer: ByteBuffer(bytes: Array(words)))
    }

    @Test(arguments: [1_024, 1_025, 30_000, 1_048_576])
    func `a body survives byte for byte`(count: Int) async throws {
        let plain = try await send(body(count), accepting: nil)
        let compressed = try await send(body(count))
        #expect(plain.body.readableBytes == count)
        #expect(compressed.headers[.contentEncoding] == "gzip")
        #expect(compressed.headers[.contentLength] == String(compressed.body.readableBytes))
        #expect(compressed.body.readableBytes < count / 2)
        #expect(try Self.expand(compressed.body) == Array(plain.body.readableBytesView))
        for answer in [plain, compressed] { #expect(answer.headers[.vary] == "Accept-Encoding") }
    }

    @Test func `short, huge and incompressible bodies stay as they are`() async throws {
        #expect(try await send(body(1_023)).headers[.contentEncoding] == nil)
        #expect(try await send(body(1_048_577)).headers[.contentEncoding] == nil)
        var random = SplitMix64(seed: 1)
        let noise = (0..<2_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        let answer = try await send(ResponseBody(byteBuffer: ByteBuffer(bytes: noise)))
        #expect(answer.headers[.contentEncoding] == nil && Array(answer.body.readableBytesView) == noise)
    }

    @Test func `streams, media, ranges and encoded bodies stay as they are`() async throws {
        let stream = ResponseBody { writer in
            try await writer.write(ByteBuffer(repeating: 32, count: 4_000))
            try await writer.finish(nil)
        }
        let json = "application/json"
        #expect(try await send(stream, headers: [.contentType: json]).headers[.contentEncoding] == nil)
        for headers: HTTPFields in [
            [.contentType: "text/event-stream"], [.contentType: "video/mp4"], [:],
            [.contentType: "text/plain", .acceptRanges: "bytes"],
        ] {
            let answer = try await send(body(4_000), headers: headers)
            #expect(answer.headers[.contentEncoding] == nil && answer.headers[.vary] == nil, "\(headers)")
        }
        let encoded = try await send(body(4_000), headers: [.contentType: json, .contentEncoding: "br"])
        #expect(encoded.headers[.contentEncoding] == "br" && encoded.body.readableBytes == 4_000)
    }

    @Test func `answers that may carry new tokens stay as they are`() async throws {
        #expect(try await send(body(4_000), method: .post).headers[.contentEncoding] == nil)
    }

    @Test func `HEAD has no coding and varies`() async throws {
        let answer = try await send(body(4_000), method: .head)
        #expect(answer.headers[.contentEncoding] == nil && answer.headers[.vary] == "Accept-Encoding")
    }

    @Test func `a strong tag becomes weak, and a weak one stays`() async throws {
        for (tag, expected) in [("\"a\"", "W/\"a\""), ("W/\"b\"", "W/\"b\"")] {
            let headers: HTTPFields = [.contentType: "text/css", .eTag: tag]
            #expect(try await send(body(4_000), headers: headers).headers[.eTag] == expected)
            #expect(try await send(body(4_000), accepting: nil, headers: headers).headers[.eTag] == tag)
        }
    }

    /// Expands gzip with the program of that name, which is not ours.
    private static func expand(_ bytes: ByteBuffer) throws -> [UInt8] {
        let input = URL(fileURLWithPath: temporaryPath("gzip"))
        try Data(bytes.readableBytesView).write(to: input)
        defer { try? FileManager.default.removeItem(at: input) }
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/bin/gzip")
        process.arguments = ["-dc"]
        process.standardInput = try FileHandle(forReadingFrom: input)
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw ExpandFailure() }
        return Array(data)
    }
}

private struct ExpandFailure: Error {}
