import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import TestSupport
import Testing

@testable import HTTPMiddleware

@Suite(.timeLimit(.unit))
struct ConditionalAnswersTests {
    private func send(
        _ body: String, _ headers: HTTPFields = [:], method: HTTPRequest.Method = .get,
        type: String = "application/json; charset=utf-8", status: HTTPResponse.Status = .ok
    ) async throws -> TestResponse {
        let router = Router(options: .autoGenerateHeadEndpoints)
        router.group("/").add(middleware: ConditionalAnswers()).get("/thing") { _, _ in
            Response(status: status, headers: [.contentType: type], body: .init(byteBuffer: ByteBuffer(string: body)))
        }
        return try await Application(router: router).test(.router) { client in
            try await client.execute(uri: "/thing", method: method, headers: headers)
        }
    }

    @Test func `a repeated request is answered with 304`() async throws {
        let first = try await send(#"{"a":1}"#)
        let tag = try #require(first.headers[.eTag])
        #expect(first.headers[.cacheControl] == "private, no-cache")
        #expect(tag.hasPrefix("W/\"") && tag.utf8.count == 36)
        for list in [tag, String(tag.dropFirst(2)), "\"x\", \(tag)", "*", "\"y\"  ,\t\(tag) "] {
            let again = try await send(#"{"a":1}"#, [.ifNoneMatch: list])
            #expect(again.status == .notModified, "\(list)")
            #expect(again.body.readableBytes == 0)
            #expect(again.headers[.eTag] == tag)
            #expect(again.headers[.contentType] == nil)
        }
        let changed = try await send(#"{"a":2}"#, [.ifNoneMatch: tag])
        #expect(changed.status == .ok && String(buffer: changed.body) == #"{"a":2}"#)
    }

    @Test(arguments: ["", "W/", "\"", "W/\"\"", "\u{0}", "\"x\"", "x", ",,,", "**"])
    func `a list without the tag is no match`(list: String) async throws {
        #expect(try await send("{}", [.ifNoneMatch: list]).status == .ok)
    }

    @Test func `HEAD has the tag of GET`() async throws {
        let tag = try await send("{}").headers[.eTag]
        let head = try await send("{}", method: .head)
        #expect(head.headers[.eTag] == tag && head.body.readableBytes == 0)
        #expect(try await send("{}", [.ifNoneMatch: tag ?? ""], method: .head).status == .notModified)
    }

    @Test func `long pages, other types and errors have no tag`() async throws {
        let longest = ConditionalLimits.taggedBytes.upperBound
        #expect(try await send(String(repeating: "1", count: longest)).headers[.eTag] != nil)
        #expect(try await send(String(repeating: "1", count: longest + 1)).headers[.eTag] == nil)
        #expect(try await send("a", type: "text/event-stream").headers[.eTag] == nil)
        #expect(try await send("{}", status: .notFound).headers[.eTag] == nil)
    }
}
