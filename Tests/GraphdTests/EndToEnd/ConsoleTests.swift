import NIOCore
import TestSupport
import Testing

@testable import GraphHTTP

/// The console's files as the server sends them.
@Suite(.timeLimit(.process), .sharedGraphd)
struct ConsoleTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    private var files: [(path: String, asset: EmbeddedFile)] {
        [("/console", ConsoleFiles.page)] + ConsoleFiles.named.values.map { ("/console/\($0.name)", $0) }
    }

    @Test func `every file is for anybody under one strict policy`() async throws {
        for (path, asset) in files {
            let answer = try await server.client().get(path)
            #expect(answer.status == 200 && answer.body == Array(asset.body.readableBytesView), "\(path)")
            #expect(answer.header("Content-Type") == asset.contentType, "\(path)")
            for (name, value) in [
                ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
                ("Cross-Origin-Opener-Policy", "same-origin"), ("Cache-Control", "no-cache"),
            ] { #expect(answer.header(name) == value, "\(path)") }
            let policy = try #require(answer.header("Content-Security-Policy")).split(separator: "; ")
            for directive in [
                "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob:",
                "media-src blob:", "connect-src 'self'", "base-uri 'none'", "form-action 'none'",
                "frame-ancestors 'none'",
                "require-trusted-types-for 'script'",
            ] { #expect(policy.contains { $0 == directive }, "\(path): \(directive)") }
            #expect(!policy.contains { $0.contains("unsafe") || $0.contains("http") || $0.contains("*") })

            let tag = try #require(answer.header("ETag"))
            let again = try await server.client().send("GET", path, headers: [("If-None-Match", tag)])
            #expect(again.status == 304 && again.body.isEmpty && again.header("ETag") == tag, "\(path)")
        }
        try await server.client().get("/console/nothing.js").expectProblem(404, "not_found")
    }

    /// The console parses nothing as markup or script, loads nothing from other origins, and every file it names is
    /// served.
    @Test func `the files name only each other and build no markup`() throws {
        var reached: Set<String> = []
        for (path, asset) in files {
            let text = String(decoding: asset.body.readableBytesView, as: UTF8.self)
            for name in text.matches(of: #/(?:from|import) "\./([^"]+)"|"/console/([^"]+)"/#) {
                let name = String(name.1 ?? name.2 ?? "")
                #expect(ConsoleFiles.named[name] != nil, "\(path) names \(name)")
                reached.insert(name)
            }
            #expect(
                text.firstMatch(
                    of: #/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|Function\(|DOMParser|srcdoc/#)
                    == nil, "\(path)")
            #expect(
                asset.name == "icon.svg" || text.firstMatch(of: #/["'(](https?:)?\/\/\w/#) == nil
                    || asset.name == "dom.js")
        }
        #expect(reached == Set(ConsoleFiles.named.keys))
    }
}
