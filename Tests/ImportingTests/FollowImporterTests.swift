import Importing
import TestSupport
import Testing

@testable import SocialGraph

@Suite(.timeLimit(.unit))
struct FollowImporterTests {
    private let edges: [(follower: String, followee: String)] = [
        ("ann", "bob"), ("bob", "ann"), ("ann", "cat"), ("ANN", "bob"),
    ]

    @Test
    func `users are created once and a second import changes nothing`() async throws {
        try await withGraph { fixture in
            var importer = FollowImporter(graph: fixture.graph)
            try await importer.write(edges)
            #expect(importer.total == FollowImporter.Summary(users: 3, follows: 3))
            let before = try await fixture.graph.accounts.mostFollowed(limit: 10)
            let jobs = try await fixture.graph.outbox.outboxJobs(above: nil, limit: 10)
            #expect(jobs.count == 1)

            var again = FollowImporter(graph: fixture.graph)
            try await again.write(edges)
            try await again.write([])
            #expect(again.total == FollowImporter.Summary())
            #expect(try await fixture.graph.accounts.mostFollowed(limit: 10) == before)
            #expect(try await fixture.graph.outbox.outboxJobs(above: nil, limit: 10) == jobs)
        }
    }

    @Test(arguments: ["dan", "DAN"])
    func `a batch with a self-follow writes nothing, and the importer goes on`(other: String) async throws {
        try await withGraph { fixture in
            var importer = FollowImporter(graph: fixture.graph)
            var failure: GraphError?
            do {
                try await importer.write(edges + [("dan", other)])
            } catch let error as GraphError {
                failure = error
            }
            #expect(failure == .selfFollow)
            #expect(importer.total == FollowImporter.Summary())
            #expect(try await fixture.integer("SELECT COUNT(*) FROM account") == 0)
            // The importer does not remember ids of the rolled-back batch.
            try await importer.write(edges)
            #expect(importer.total == FollowImporter.Summary(users: 3, follows: 3))
        }
    }

    @Test
    func `windows of the followers that gained followees are dropped`() async throws {
        try await withGraph { fixture in
            var importer = FollowImporter(graph: fixture.graph)
            try await importer.write(edges)
            let known = try await fixture.graph.outbox.outboxJobs(above: nil, limit: 1).last?.id
            try await importer.write(edges + [("cat", "ann")])
            let cat = try #require(try await fixture.graph.accounts.account(username: "cat")).id
            let jobs = try await fixture.graph.outbox.outboxJobs(above: known, limit: 10)
            #expect(jobs.map(\.work) == [.evict(viewers: [cat])])
        }
    }

    @Test(arguments: [1, 2, 3, 255, 256, 257, 511, 10_000])
    func `a batch of any length is written whole, without what is there or blocked`(count: Int) async throws {
        try await withGraph { fixture in
            let (graph, people) = (fixture.graph, try await fixture.users(3, prefix: "person"))
            try await graph.blocksAndMutes.block(people[0], people[1])
            var importer = FollowImporter(graph: graph)
            try await importer.write([("f0", "person2")])
            let edges = (0..<count).map { (follower: "f\($0)", followee: "person2") }
            let repeated = [(follower: "F\(count - 1)", followee: "Person2")]
            try await importer.write(edges + repeated + [("person0", "person1"), ("person1", "person0")])
            #expect(importer.total == FollowImporter.Summary(users: count, follows: count))
            let counts = try await fixture.integers("SELECT followers_count FROM account WHERE followers_count > 0")
            #expect(counts == [Int64(count)])
            #expect(try await fixture.integer("SELECT SUM(following_count) FROM account") == Int64(count))
            #expect(try await fixture.integer("SELECT COUNT(*) FROM follow") == Int64(count))
        }
    }
}
