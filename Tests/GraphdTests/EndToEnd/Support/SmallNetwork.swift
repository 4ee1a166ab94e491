import ServiceTestSupport
import Testing

@testable import StrictJSON

/// An author and followers.
struct SmallNetwork {
    let server: GraphdServer
    let author: Person
    let readers: [Person]

    init(_ server: GraphdServer) async throws {
        self.server = server
        let author = try await server.person()
        let readers = try await (0..<9).asyncMap { _ in try await server.person() }
        for reader in readers { #expect(try await server.client(reader).put("\(author.path)/follow").status == 204) }
        (self.author, self.readers) = (author, readers)
    }

    /// Publishes posts. Returns them newest first.
    func publish(_ count: Int) async throws -> [String] {
        try await (0..<count).asyncMap { _ in try await server.client(author).publish() }.reversed()
    }

    func expectHome(_ posts: [String]) async throws {
        // A page may lack what is on its way.
        try await server.waitUntilReady { $0["outbox"]?["pending"]?.number == 0 }
        for reader in readers { #expect(try await server.client(reader).page("/v1/timelines/home") == posts) }
    }
}
