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
            #expect(jobs.map(\.work) == [.drop(viewers: [cat])])
        }
    }
}
