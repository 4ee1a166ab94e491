import Importing
import SocialGraph
import TestSupport
import Testing

@Suite(.timeLimit(.process))
struct SharedDatabaseTests {
    @Test func `a batch that outgrows the table leaves the indexes of a shared database alone`() async throws {
        try await withGraph(on: .postgreSQL) { scene in
            var importer = FollowImporter(graph: scene.graph, leastRebuild: 1)
            try await importer.write((0..<50).map { (follower: "f\($0 % 10)", followee: "a\($0)") })
            #expect(importer.total == FollowImporter.Summary(users: 60, follows: 50))
            try await importer.write((0..<50).map { (follower: "f\($0 % 10)", followee: "a\($0)") })
            #expect(importer.total == FollowImporter.Summary(users: 60, follows: 50))
        }
    }
}
