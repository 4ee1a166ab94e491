import Database
import Importing
import RedisClient
import ServiceTestSupport
import SocialGraph
import Testing

@testable import Timeline

/// One author with very many followers, a few hundred of whom are watched: they follow two more authors, read their
/// home timelines, and so have windows.
struct FollowedAuthor {
    let server: GraphdServer
    let author: Person
    let watched: [Person]
    /// The author's acknowledged posts.
    private(set) var acknowledged: Set<String> = []

    /// Writes the graph into the data directory before the server starts.
    init(_ server: GraphdServer, followers: Int, watched count: Int) async throws {
        self.server = server
        var importer = FollowImporter(graph: server.graph)
        let names = (0..<followers).map { "f\($0)" }
        for start in stride(from: 0, to: followers, by: 4_000) {
            try await importer.write(names[start..<min(start + 4_000, followers)].map { ($0, "author") })
        }
        // Spread over the whole audience, so that a fault falls among them.
        let sample = stride(from: 0, to: followers, by: followers / count).map { names[$0] }
        for other in ["other.1", "other.2"] { try await importer.write(sample.map { ($0, other) }) }
        let graph = server.graph
        func person(_ name: String) async throws -> Person {
            try await server.person(try #require(try await graph.accounts.account(username: name)))
        }
        author = try await person("author")
        watched = try await sample.asyncMap { try await person($0) }
        for name in ["author", "other.1", "author", "other.2"] {
            let writer = try await person(name)
            let posts = (0..<20).map {
                NewPost(author: writer.id, caption: "\(name) \($0)", mediaURL: "https://example.org/v")
            }
            try await graph.bulkPosts.publish(batch: posts)
        }
    }

    /// Reads the home timelines of the author and the watched followers until all have windows: a read that Redis does
    /// not answer in time asks for none. `redis` is the server with the windows.
    func warmUp(in redis: RedisConfiguration? = nil) async throws {
        let viewers = watched.map(\.id) + [author.id]
        repeat {
            try await readHomes { client in _ = try await client.page("/v1/timelines/home") }
            try await server.waitForJobs()
        } while try await server.verify(viewers, redis: redis).windows < viewers.count
    }

    /// Publishes `count` posts concurrently, notes the acknowledged ones, and runs `fault` at the same time.
    mutating func publish(_ count: Int, during fault: () async throws -> Void) async throws {
        let client = server.client(author)
        let ids = try await withThrowingTaskGroup(of: String?.self) { group in
            for number in 0..<count {
                // A killed server acknowledges nothing more, and unacknowledged posts may be lost.
                group.addTask { try? await client.publish("post \(number)") }
            }
            try await fault()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        acknowledged.formUnion(ids.compactMap(\.self))
    }

    /// Expects the right home timeline over HTTP, and the right window, for every watched follower. `redis` is the
    /// server with the windows.
    func expectExactTimelines(
        _ comment: Comment, in redis: RedisConfiguration? = nil, readFirst: Bool = true
    ) async throws {
        let viewers = watched.map(\.id) + [author.id]
        if readFirst { try await warmUp(in: redis) }
        let report = try await server.verify(viewers, redis: redis)
        #expect(report.missing == 0 && report.extra == 0 && report.misordered == 0, comment)
        #expect(report.windows >= watched.count && report.entries > report.windows, "\(comment): \(report.windows)")
        let (own, expected) = (try await posts(by: ["author"]), try await posts(by: ["author", "other.1", "other.2"]))
        #expect(acknowledged.isSubset(of: own), comment)
        let ownToken = author.token
        try await readHomes { client in
            let shown = try await client.ids("/v1/timelines/home", limit: 100)
            #expect(shown == (client.token == ownToken ? own : expected), comment)
        }
        try await server.waitForJobs()
        let after = try await server.verify(viewers, redis: redis)
        #expect(after.isClean && after.windows > watched.count, comment)
    }

    /// The home timeline of a user who has followed these authors from the start, merged from the authors' own lists.
    private func posts(by authors: [String]) async throws -> [String] {
        var posts: [PostID] = []
        for name in authors {
            let account = try #require(try await server.graph.accounts.account(username: name))
            posts += try await server.graph.feeds.authorFeed(of: account.id, below: nil, limit: 100_000)
        }
        return posts.sorted(by: >).map { String($0.rawValue) }
    }

    private func readHomes(_ body: @escaping @Sendable (APIClient) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            var rest = (watched + [author])[...]
            for person in rest.prefix(8) {
                let client = server.client(person)
                group.addTask { try await body(client) }
            }
            rest = rest.dropFirst(8)
            while try await group.next() != nil {
                guard let person = rest.popFirst() else { continue }
                let client = server.client(person)
                group.addTask { try await body(client) }
            }
        }
    }
}
