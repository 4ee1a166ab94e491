import TestSupport
import Testing

@testable import GraphHTTP

/// The description of the API and its page, as the server sends them.
@Suite(.timeLimit(.process), .sharedGraphd)
struct ReferenceTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    @Test func `the description is the file of the repository, for anybody`() async throws {
        let answer = try await server.client().get("/openapi.yaml")
        #expect(answer.status == 200 && answer.header("Content-Type") == "application/yaml")
        #expect(try answer.body == Array(APIDescription.source("docs/openapi.yaml").utf8))
        #expect(answer.header("Cache-Control") == "no-cache" && answer.header("Vary") == "Accept-Encoding")
        let tag = try #require(answer.header("ETag"))
        let again = try await server.client().send("GET", "/openapi.yaml", headers: [("If-None-Match", tag)])
        #expect(again.status == 304 && again.body.isEmpty && again.header("ETag") == tag)
    }

    @Test func `the description is sent compressed to clients that accept it`() async throws {
        let headers = [("Accept-Encoding", "gzip")]
        let answer = try await server.client().send("GET", "/openapi.yaml", headers: headers)
        #expect(answer.status == 200 && answer.header("Content-Encoding") == "gzip")
        #expect(answer.body.starts(with: [0x1F, 0x8B]) && answer.body.count < 200_000)
        let tag = try #require(answer.header("ETag"))
        #expect(tag.hasPrefix("W/"))
        let again = try await server.client().send(
            "GET", "/openapi.yaml", headers: headers + [("If-None-Match", tag)])
        #expect(again.status == 304 && again.header("ETag") == tag)
    }

    @Test func `the page names only files of its own and builds no markup`() async throws {
        for (path, file) in [("/docs", ReferenceFiles.site.page)]
            + ReferenceFiles.site.named.values.map({ ("/docs/\($0.name)", $0) })
        {
            let answer = try await server.client().get(path)
            #expect(answer.status == 200 && answer.header("Content-Type") == file.contentType, "\(path)")
            let policy = try #require(answer.header("Content-Security-Policy"))
            #expect(policy.hasPrefix("default-src 'none'; ") && !policy.contains("unsafe"), "\(path)")
            let text = String(decoding: answer.body, as: UTF8.self)
            for name in text.matches(of: #/(?:from|import) "\./([^"]+)"|"/docs/([^"]+)"/#) {
                #expect(ReferenceFiles.site.named[String(name.1 ?? name.2 ?? "")] != nil, "\(path)")
            }
            #expect(text.firstMatch(of: #/innerHTML|insertAdjacentHTML|document\.write|eval\(|https?:\/\//#) == nil)
        }
        try await server.client().get("/docs/nothing.js").expectProblem(404, "not_found")
    }

    @Test func `the page shows every operation, opens one and finds one`() async throws {
        let count = try APIDescription.documented().all.count
        try await Browser.open { browser async throws in
            try await browser.go(to: "http://127.0.0.1:\(server.port)/docs#publishPost")
            try await browser.wait(
                until: "document.querySelectorAll('main section details[id]').length === Number(arguments[0])",
                String(count))
            try await browser.wait(until: "document.querySelector('#publishPost pre')?.textContent.includes('caption')")
            try await browser.type("follow request", into: "#search")
            try await browser.wait(until: "document.querySelector('#publishPost').hidden")
            try await browser.wait(until: "!document.querySelector('#listFollowRequests').hidden")
        }
    }
}
