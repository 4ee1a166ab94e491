import TestSupport
import Testing

@testable import GraphHTTP

/// The files of the demo page as the server sends them.
@Suite(.timeLimit(.process), .sharedGraphd)
struct DemoPageTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    @Test func `every file is for anybody under one strict policy`() async throws {
        try await EmbeddedPage.demo.expectStrictPolicy(of: server)
    }

    @Test func `the files name only each other and build no markup`() {
        EmbeddedPage.demo.expectOwnFilesWithoutMarkup()
        for (_, asset) in EmbeddedPage.demo.files where asset.name != "elements.js" {
            #expect(EmbeddedPage.text(asset).firstMatch(of: #/["'(](https?:)?\/\/\w/#) == nil, "\(asset.name)")
        }
    }

    /// The page has no other way to data than the documented one.
    @Test func `the page asks for documented operations of v1 alone`() throws {
        let documented = Set(try APIDescription.documented().all.map { $0.path.replacing(#/\{\w+\}/#, with: "{}") })
        var asked: Set<String> = []
        for asset in DemoFiles.site.named.values {
            for match in EmbeddedPage.text(asset).matches(of: #/["`](\/v1\/[^"`]*)["`]/#) {
                let path = String(match.1.replacing(#/\$\{[^}]*\}/#, with: "{}"))
                #expect(documented.contains(path), "\(asset.name) asks for \(path)")
                asked.insert(path)
            }
        }
        #expect(asked.count >= 12, "\(asked)")
    }
}
