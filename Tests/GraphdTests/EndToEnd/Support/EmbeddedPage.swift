import NIOCore
import Testing

@testable import GraphHTTP

/// A page that is part of the program, with the files that it loads.
struct EmbeddedPage: Sendable {
    /// The path of the page, above its files.
    let path: String
    let page: EmbeddedFile
    let named: [String: EmbeddedFile]

    static let console = EmbeddedPage(path: "/console", page: ConsoleFiles.site.page, named: ConsoleFiles.site.named)
    static let demo = EmbeddedPage(path: "/demo", page: DemoFiles.site.page, named: DemoFiles.site.named)

    var files: [(path: String, asset: EmbeddedFile)] {
        [(path, page)] + named.values.map { ("\(path)/\($0.name)", $0) }
    }

    /// The text of a file.
    static func text(_ asset: EmbeddedFile) -> String {
        String(decoding: asset.body.readableBytesView, as: UTF8.self)
    }

    /// Expects that the server sends every file to anybody, under one strict policy and with an entity tag.
    func expectStrictPolicy(of server: GraphdServer) async throws {
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
        try await server.client().get("\(path)/nothing.js").expectProblem(404, "not_found")
    }

    /// Expects that every file that the others name is served, that each is named, and that none builds markup or
    /// scripts from text.
    func expectOwnFilesWithoutMarkup() {
        var reached: Set<String> = []
        for (path, asset) in files {
            let text = Self.text(asset)
            for name in text.matches(of: #/(?:from|import) "\./([^"]+)"|"\/(\w+)\/([^"\/]+\.\w+)"/#) {
                if let other = name.2, "/\(other)" != self.path { continue }
                let name = String(name.1 ?? name.3 ?? "")
                #expect(named[name] != nil, "\(path) names \(name)")
                reached.insert(name)
            }
            #expect(
                text.firstMatch(
                    of: #/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|Function\(|DOMParser|srcdoc/#)
                    == nil, "\(path)")
        }
        #expect(reached == Set(named.keys))
    }
}
