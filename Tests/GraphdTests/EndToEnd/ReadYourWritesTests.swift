import Database
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing
import Timeline

@testable import StrictJSON

/// A user's own acts show in their next request, whatever the state of the outbox.
@Suite(.timeLimit(.process), .sharedGraphd)
struct ReadYourWritesTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    private static let pairs = 8
    private static let rounds = 30

    /// Runs `body` for all pairs concurrently, many times each.
    private func many(
        _ body: @escaping @Sendable (_ reader: APIClient, _ author: Person) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.pairs {
                let (reader, author) = (try await server.person(), try await server.person())
                let client = server.client(reader)
                group.addTask { for _ in 0..<Self.rounds { try await body(client, author) } }
            }
            try await group.waitForAll()
        }
    }

    @Test func `a post shows in its author's home and profile, and a deleted one does not`() async throws {
        try await many { [server] _, author in
            let client = server.client(author)
            let profile = "/v1/timelines/users/\(author.id.rawValue)"
            let id = try await client.publish()
            #expect(try await client.page("/v1/timelines/home").first == id)
            #expect(try await client.page(profile).first == id)
            #expect(try await client.get("/v1/posts/\(id)").status == 200)
            guard Bool.random() else { return }
            #expect(try await client.delete("/v1/posts/\(id)").status == 204)
            #expect(try await client.page("/v1/timelines/home").contains(id) == false)
            #expect(try await client.page(profile).contains(id) == false)
            #expect(try await client.get("/v1/posts/\(id)").status == 404)
        }
    }

    @Test func `a follow shows the followee's posts, and an unfollow hides them`() async throws {
        try await many { [server] reader, author in
            let writer = server.client(author)
            let old = try await writer.publish("old")
            #expect(try await reader.put("\(author.path)/follow").status == 204)
            #expect(try await reader.page("/v1/timelines/home").first == old)
            let new = try await writer.publish("new")
            #expect(try await reader.get("/v1/posts/\(new)").status == 200)
            #expect(try await reader.delete("\(author.path)/follow").status == 204)
            #expect(try await reader.page("/v1/timelines/home") == [])
        }
    }

    /// Hides posts as another user while the outbox is still pushing them.
    @Test func `what somebody else has deleted never shows again`() async throws {
        try await many { [server] reader, author in
            let writer = server.client(author)
            _ = try await reader.put("\(author.path)/follow")
            let ids = [try await writer.publish(), try await writer.publish()]
            _ = try await reader.page("/v1/timelines/home")
            #expect(try await writer.delete("/v1/posts/\(ids[1])").status == 204)
            for _ in 0..<3 { #expect(try await reader.page("/v1/timelines/home").contains(ids[1]) == false) }
            #expect(try await writer.delete("/v1/posts/\(ids[0])").status == 204)
            #expect(try await reader.page("/v1/timelines/home").contains(ids[0]) == false)
        }
    }

    @Test func `many follows and unfollows of one pair end as the last said`() async throws {
        let (reader, author) = (try await server.person(), try await server.person())
        let client = server.client(reader)
        let id = try await server.client(author).publish()
        for round in 0..<20 {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<16 {
                    let method = number.isMultiple(of: 2) ? "PUT" : "DELETE"
                    group.addTask { try await client.send(method, "\(author.path)/follow").status }
                }
                for try await status in group { #expect(status == 204) }
            }
            let method = round.isMultiple(of: 2) ? "PUT" : "DELETE"
            #expect(try await client.send(method, "\(author.path)/follow").status == 204)
            let expected = method == "PUT" ? [id] : []
            #expect(try await client.page("/v1/timelines/home") == expected)
            let count = try await client.get(author.path).json["followersCount"]
            #expect(count == .integer(Int64(expected.count)))
        }
        try await server.waitForJobs()
        #expect(try await client.page("/v1/timelines/home") == [])
        let report = try await server.verify([reader.id, author.id])
        #expect(report.isClean, "\(report)")
    }

    @Test func `after the storm every window is exact`() async throws {
        let people = try await (0..<12).asyncMap { _ in try await server.person() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, person) in people.enumerated() {
                let client = server.client(person)
                group.addTask {
                    var generator = SplitMix64(seed: UInt64(index))
                    var own: [String] = []
                    for _ in 0..<60 {
                        let other = people[Int.random(in: 0..<people.count, using: &generator)]
                        switch Int.random(in: 0..<6, using: &generator) {
                        case 0, 1: own.append(try await client.publish())
                        case 2 where other != person: _ = try await client.put("\(other.path)/follow")
                        case 3 where other != person: _ = try await client.delete("\(other.path)/follow")
                        case 4 where !own.isEmpty: _ = try await client.delete("/v1/posts/\(own.removeFirst())")
                        default: _ = try await client.page("/v1/timelines/home")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        // Readers with pending writes are answered from SQLite and do not request a window.
        try await server.waitForJobs()
        try await server.buildWindows(people)
        let report = try await server.verify(people.map(\.id))
        #expect(report.isClean && report.windows == people.count && report.entries > 0, "\(report)")
        for person in people {
            let truth = try await server.graph.feeds.homeByDefinition(of: person.id)
            let shown = try await server.client(person).ids("/v1/timelines/home", limit: 7)
            #expect(shown == truth.map { String($0.post.rawValue) })
        }
    }
}

extension Sequence where Element: Sendable {
    func asyncMap<T>(_ body: (Element) async throws -> T) async rethrows -> [T] {
        var mapped: [T] = []
        for element in self { mapped.append(try await body(element)) }
        return mapped
    }
}
