import TestSupport
import Testing

@testable import GraphHTTP

/// The console's files as the server sends them.
@Suite(.timeLimit(.process), .sharedGraphd)
struct ConsoleTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    @Test func `every file is for anybody under one strict policy`() async throws {
        try await EmbeddedPage.console.expectStrictPolicy(of: server)
    }

    /// The console parses nothing as markup or script, loads nothing from other origins, and every file it names is
    /// served.
    @Test func `the files name only each other and build no markup`() {
        EmbeddedPage.console.expectOwnFilesWithoutMarkup()
        for (_, asset) in EmbeddedPage.console.files where !["icon.svg", "dom.js"].contains(asset.name) {
            #expect(EmbeddedPage.text(asset).firstMatch(of: #/["'(](https?:)?\/\/\w/#) == nil, "\(asset.name)")
        }
    }
}
