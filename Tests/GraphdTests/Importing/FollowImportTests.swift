import Database
import Foundation
import SocialGraph
import TestSupport
import Testing

@testable import CommandSupport
@testable import graphd

@Suite(.timeLimit(.unit))
struct FollowImportTests {
    private static let file = "follower,followee\n1,2\n1,3\nann,1\n1,2\nbad\nann,ann\n"

    @Test(arguments: [1, 2, 100])
    func `what is well-formed is imported and the rest is reported by line`(batchSize: Int) async throws {
        try await withGraph { graph in
            let summary = try await FollowImport.run(Self.file, into: graph, batchSize: batchSize)
            #expect(summary.users == 4)
            #expect(summary.follows == 3)
            #expect(summary.alreadyPresent == 1)
            #expect(summary.malformed.count == 2)
            #expect(summary.malformed.messages.map { $0.prefix(7) } == ["line 6:", "line 7:"])
            #expect(try await graph.accounts.account(username: "u1")?.followingCount == 2)
            #expect(try await graph.accounts.account(username: "u1")?.followersCount == 1)
        }
    }

    @Test
    func `strict imports nothing if a line is malformed`() async throws {
        try await withGraph { graph in
            let summary = try await FollowImport.run(Self.file, into: graph, strict: true)
            #expect(summary.follows == 0)
            #expect(summary.malformed.count == 2)
            #expect(try await graph.integers("SELECT COUNT(*) FROM account") == [0])
        }
    }

    @Test
    func `strict imports everything if no line is malformed`() async throws {
        try await withGraph { graph in
            let summary = try await FollowImport.run("1 2\n2 1\n", into: graph, strict: true)
            #expect(summary == FollowImport.Summary(users: 2, follows: 2))
        }
    }

    @Test
    func `a second import changes nothing`() async throws {
        try await withGraph { graph in
            let text = (0..<500).map { "\($0 % 37) \(100 + $0 % 41)\n" }.joined()
            let first = try await FollowImport.run(text, into: graph, batchSize: 90)
            let follows = try await graph.integers("SELECT position FROM follow ORDER BY follower_id, followee_id")
            let accounts = try await graph.accounts.mostFollowed(limit: 100)
            let jobs = try await graph.outbox.outboxDepth().pending
            let again = try await FollowImport.run(text, into: graph, batchSize: 70)
            #expect(again == FollowImport.Summary(alreadyPresent: 500))
            #expect(first.follows + first.alreadyPresent == 500)
            #expect(
                try await graph.integers("SELECT position FROM follow ORDER BY follower_id, followee_id") == follows)
            #expect(try await graph.accounts.mostFollowed(limit: 100) == accounts)
            #expect(try await graph.outbox.outboxDepth().pending == jobs)
        }
    }

    @Test
    func `a follow that a block forbids is not reported as present`() async throws {
        try await withGraph { graph in
            _ = try await FollowImport.run("1 2\n1 3\n", into: graph)
            let follower = try #require(try await graph.accounts.account(username: "u1")).id
            let blocker = try #require(try await graph.accounts.account(username: "u2")).id
            try await graph.blocksAndMutes.block(blocker, follower)
            let again = try await FollowImport.run("1 2\n1 3\n", into: graph)
            #expect(again == FollowImport.Summary(alreadyPresent: 2))
            let labels = ImportFollowsCommand.output(again).fields.map(\.label)
            #expect(labels.contains("already present or blocked"))
        }
    }

    @Test
    func `positions ascend in the order of the file and counts are those of the rows`() async throws {
        try await withGraph { graph in
            let text = (0..<700).map { "\(900 - $0) \($0 % 7 + 1000)\n" }.joined()
            _ = try await FollowImport.run(text, into: graph, batchSize: 300)
            let names = try await graph.database.read { reader in
                try reader.rows(
                    "SELECT a.username FROM follow f JOIN account a ON a.id = f.follower_id ORDER BY f.position", []
                ) { $0.text(0) }
            }
            #expect(names == (0..<700).map { "u\(900 - $0)" })
            let wrong = """
                SELECT COUNT(*) FROM account a WHERE
                followers_count <> (SELECT COUNT(*) FROM follow WHERE followee_id = a.id) OR
                following_count <> (SELECT COUNT(*) FROM follow WHERE follower_id = a.id)
                """
            #expect(try await graph.integers(wrong) == [0])
        }
    }

    @Test
    func `strict reads a pipe once and imports all of it`() async throws {
        try await withGraph { graph in
            let pipe = Pipe()
            try pipe.fileHandleForWriting.write(contentsOf: Data("1 2\n2 3\n".utf8))
            try pipe.fileHandleForWriting.close()
            let file = try InputFile(path: "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)")
            #expect(file.size == nil)
            let summary = try await FollowImport(graph: graph, strict: true, showsProgress: false).run(file)
            #expect(summary.follows == 2)
        }
    }

    @Test
    func `only the first malformed lines are kept and all are counted`() {
        var lines = MalformedLines()
        for line in 1...50 { lines.add(LineProblem("wrong", "right"), line: line) }
        #expect(lines.count == 50)
        #expect(lines.messages.count == MalformedLines.shown)
        #expect(lines.messages.first == "line 1: wrong; right")
    }

    @Test
    func `a missing file and a directory are refused by name`() {
        #expect(throws: CommandFailure.self) { try InputFile(path: "/nonexistent/follows.csv") }
        #expect(throws: CommandFailure.self) { try InputFile(path: "/tmp") }
    }
}
