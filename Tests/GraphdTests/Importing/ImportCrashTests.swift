import Database
import Discovery
import Foundation
import Glibc
import SocialGraph
import TestSupport
import Testing
import Text

@testable import CommandSupport
@testable import StrictJSON
@testable import graphd

/// Kills of `graphd import posts` at seeded instants. Afterwards every stored post can be found, and nothing else. The
/// import reads from a pipe that stays open, so that it cannot finish before it is killed.
@Suite(.timeLimit(.model))
struct ImportCrashTests {
    /// One row less than whole batches: the last batch waits for the end of the input, which does not come.
    private static let rows = 16 * PostImport.batch - 1

    /// A named pipe that is open at both ends, so that its reader sees no end before the descriptor is closed. It holds
    /// one megabyte.
    private static func pipe(at path: String, holding bytes: [UInt8]) throws -> Int32 {
        guard mkfifo(path, 0o600) == 0 else { throw LocalSocket.Failure(call: "mkfifo") }
        // Linux' `F_SETPIPE_SZ`, which Swift's Glibc module does not name.
        let setPipeSize: Int32 = 1031
        let descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard fcntl(descriptor, setPipeSize, 1 << 20) >= bytes.count,
            write(descriptor, bytes, bytes.count) == bytes.count
        else { throw LocalSocket.Failure(call: "write") }
        return descriptor
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `the index has the posts that a killed import has left`(seed: UInt64) async throws {
        try await GraphdServer.prepared([]) { server in
            try await server.importFollows((0..<20).map { ("f\($0)", "a1") })
            let file = server.directory.path + "/posts.csv"
            let rows = (0..<Self.rows).map { "a1,caption number\($0) of many,https://m.example/\($0)\n" }
            let pipe = try Self.pipe(at: file, holding: Array(("who,text,url\n" + rows.joined()).utf8))
            defer { close(pipe) }
            let process = try GraphdProcess([
                "import", "posts", file, "--data-dir", server.directory.path, "--author", "who", "--caption", "text",
                "--media", "url",
            ])
            var random = SplitMix64(seed: seed)
            let wanted = Int.random(in: 1...Self.rows * 3 / 4, using: &random)
            while try await count(server, "post") < wanted { await Task.yield() }
            _ = Glibc.kill(process.pid, SIGKILL)
            #expect(await process.wait() == .signalled(SIGKILL))

            let posts = try await count(server, "post")
            #expect((wanted..<Self.rows).contains(posts), "it was killed in the midst of it")
            #expect(try await count(server, "post_text") == posts)
            for number in [0, posts - 1, posts] {
                let found = try await server.graph.search.newestPosts(
                    having: SearchWords("a1 number\(number) caption"), PostFilter(), below: nil, limit: 9)
                // The last word may be a prefix of others. Here it is a whole word.
                #expect(found.posts.count == (number < posts ? 1 : 0), "\(number) of \(posts)")
            }
            try await server.graph.database.write { transaction in
                try transaction.execute("INSERT INTO post_text (post_text) VALUES ('integrity-check')", [])
            }
        }
    }

    private func count(_ server: GraphdServer, _ table: String) async throws -> Int {
        try await server.graph.database.read { reader in
            Int(try reader.first("SELECT COUNT(*) FROM \(table)", []) { $0.integer(0) } ?? 0)
        }
    }
}
