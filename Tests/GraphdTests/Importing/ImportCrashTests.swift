import Foundation
import Glibc
import SocialGraph
import Testing

@testable import graphd

/// `graphd import posts`, killed at seeded instants: what is there can be found, and nothing else.
@Suite(.timeLimit(.minutes(5)))
struct ImportCrashTests {
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func theIndexHasThePostsThatAKilledImportHasLeft(seed: UInt64) async throws {
        try await GraphdServer.prepared([]) { server in
            try await server.importFollows((0..<20).map { ("f\($0)", "a1") })
            let file = server.directory.path + "/posts.csv"
            let rows = (0..<20_000).map { "a1,caption number\($0) of many,https://m.example/\($0)\n" }
            try Data(("who,text,url\n" + rows.joined()).utf8).write(to: URL(fileURLWithPath: file))
            let process = try GraphdProcess([
                "import", "posts", file, "--data-dir", server.directory.path, "--author", "who", "--caption", "text",
                "--media", "url",
            ])
            var random = SeededGenerator(seed: seed)
            let wanted = Int.random(in: 1...12_000, using: &random)
            while try await count(server, "post") < wanted { await Task.yield() }
            _ = Glibc.kill(process.pid, SIGKILL)
            #expect(await process.wait() == .signalled(SIGKILL))

            let posts = try await count(server, "post")
            #expect((wanted..<20_000).contains(posts), "it was killed in the midst of it")
            #expect(try await count(server, "post_text") == posts)
            for number in [0, posts - 1, posts] {
                let found = try await server.graph.newestPosts(
                    having: SearchWords("a1 number\(number) caption"), PostFilter(), below: nil, limit: 9)
                // The last word may begin more: not here, where it is a whole one.
                #expect(found.count == (number < posts ? 1 : 0), "\(number) of \(posts)")
            }
            try await server.graph.database.write { transaction in
                _ = try transaction.execute("INSERT INTO post_text (post_text) VALUES ('integrity-check')", [])
            }
        }
    }

    private func count(_ server: GraphdServer, _ table: String) async throws -> Int {
        try await server.graph.database.read { reader in
            Int(try reader.first("SELECT COUNT(*) FROM \(table)", []) { $0.integer(0) } ?? 0)
        }
    }
}
