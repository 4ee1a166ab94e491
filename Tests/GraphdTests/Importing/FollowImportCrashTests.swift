import Database
import Foundation
import Glibc
import GraphAssembly
import SocialGraph
import TestSupport
import Testing

@testable import CommandSupport

/// Kills of `graphd import follows` in its one large transaction. Afterwards the database has all follows or none, and
/// the import can be repeated.
@Suite(.serialized, .timeLimit(.model))
struct FollowImportCrashTests {
    private static let people = 1_500
    private static let edges = 120_000

    /// - Parameter growth: the growth of the database file, in bytes, at which the process is killed; at 0, as soon as
    ///   a page is about to change.
    @Test(arguments: [0, 1, 2_000_000, 4_000_000])
    func `a killed import leaves all or nothing`(growth: Int) async throws {
        // At 0 nothing may be left. On a busy machine the kill may come too late for that.
        for _ in 0..<20 {
            let left = try await Self.followsLeft(byKillAt: growth)
            if left == 0 || growth > 0 { return }
        }
        Issue.record("the import was always faster than the kill")
    }

    /// Kills an import, and repeats it. Returns the number of follows that the killed one has left.
    private static func followsLeft(byKillAt growth: Int) async throws -> Int {
        let directory = temporaryPath("killed")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let database = DataDirectory(path: directory).database
        // Creates the schema first, so that the file grows with the import alone.
        _ = try DataDirectory.create(at: directory)
        try SQLiteDatabase(path: database).close()
        let size = Self.size(database)
        let file = directory + "/follows.txt"
        let lines = (0..<Self.edges).map { number in
            "\(number % Self.people) \((number % Self.people + 1 + number / Self.people) % Self.people)\n"
        }
        try Data(lines.joined().utf8).write(to: URL(fileURLWithPath: file))
        let command = ["import", "follows", file, "--data-dir", directory]

        let process = try GraphdProcess(command)
        // The journal exists during the whole transaction, and the pages come with the commit. The process may finish
        // before the kill.
        await Self.kill(process.pid) {
            let hasBegun = FileManager.default.fileExists(atPath: database + "-journal")
            return Self.size(database) > size + growth || growth == 0 && hasBegun
        }
        let end = await process.wait()

        let left = try await Self.follows(in: directory)
        #expect(left == Self.edges || left == 0 && end == .signalled(SIGKILL))
        #expect(try await GraphdProcess(command).wait() == .exited(0))
        #expect(try await Self.follows(in: directory) == Self.edges)
        return left
    }

    /// Kills as soon as `condition` holds. It runs on a thread of its own, because other tests keep the pool's threads
    /// busy.
    private static func kill(_ process: pid_t, when condition: @escaping @Sendable () -> Bool) async {
        await withCheckedContinuation { killed in
            Thread.detachNewThread {
                // Not for synchronisation: without the pause between two polls, they would take a processor.
                while !condition() { usleep(200) }
                _ = Glibc.kill(process, SIGKILL)
                killed.resume()
            }
        }
    }

    private static func size(_ path: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    }

    /// Counts the follows in the directory, and checks that its tables, indexes and counts agree.
    private static func follows(in directory: String) async throws -> Int {
        let database = try SQLiteDatabase(path: DataDirectory.open(at: directory).database)
        let graph = GraphStore(database: database)
        let wrong = """
            SELECT COUNT(*) FROM account a WHERE
            followers_count <> (SELECT COUNT(*) FROM follow WHERE followee_id = a.id) OR
            following_count <> (SELECT COUNT(*) FROM follow WHERE follower_id = a.id)
            """
        #expect(try await graph.integers(wrong) == [0])
        #expect(try await graph.integers("SELECT COUNT(*) FROM pragma_foreign_key_check") == [0])
        #expect(try await graph.integers("SELECT 1 FROM pragma_integrity_check WHERE integrity_check <> 'ok'") == [])
        let indexes = "SELECT COUNT(*) FROM sqlite_schema WHERE type = 'index' AND name LIKE 'follow_by_%'"
        #expect(try await graph.integers(indexes) == [2])
        #expect(
            try await graph.integers("SELECT (SELECT COUNT(*) FROM account) - (SELECT COUNT(*) FROM account_text)")
                == [0])
        let count = try await Int(graph.integers("SELECT COUNT(*) FROM follow").first ?? -1)
        // Otherwise the next import would find the database open.
        try database.close()
        return count
    }
}
