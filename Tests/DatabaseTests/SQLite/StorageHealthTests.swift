import Database
import Foundation
import GraphAssembly
import TestSupport
import Testing

@testable import Database
@testable import SocialGraph

/// Full disks and damaged pages. They are distinguished from other failures, recorded, and cleared when the cause is
/// gone.
@Suite(.timeLimit(.unit))
struct StorageHealthTests {
    @Test func `a full disk is noted until the next commit, and what was acknowledged stays`() async throws {
        try await withSQLiteGraph { fixture in
            let ann = try await fixture.user("ann")
            let kept = try await fixture.post(ann)
            try await fixture.limitPages(extra: 2)
            #expect(!fixture.database.health.isFull)
            for _ in 0..<3 {
                let error = await #expect(throws: DatabaseError.self) {
                    try await fixture.post(ann, String(repeating: "long ", count: 100_000))
                }
                guard case .storageFull = error else {
                    Issue.record("\(String(describing: error))")
                    return
                }
                #expect(fixture.database.health.isFull)
                #expect(try await fixture.graph.feeds.homeByDefinition(of: ann) == [FeedEntry(kept)])
            }
            try await fixture.limitPages(extra: 1_000)
            let next = try await fixture.post(ann)
            #expect(!fixture.database.health.isFull)
            #expect(try await fixture.graph.feeds.homeByDefinition(of: ann) == [next, kept].map { FeedEntry($0) })
        }
    }

    /// Tests each error code of the engine for these faults, alone or together with the system's error.
    @Test(
        arguments: [
            (13, 0, "full"), (10 | 3 << 8, ENOSPC, "full"), (10 | 3 << 8, EDQUOT, "full"), (10 | 3 << 8, EFBIG, "full"),
            (10 | 19 << 8, 0, "full"), (14, ENOSPC, "full"), (11, 0, "corrupt"), (11 | 1 << 8, 0, "corrupt"),
            (26, 0, "corrupt"), (10 | 3 << 8, EIO, "other"), (5, ENOSPC, "other"), (14, ENOENT, "other"),
        ] as [(CInt, CInt, String)])
    func `faults are told apart`(code: CInt, system: CInt, expected: String) {
        let found: String =
            switch StorageFault(code, system: system) {
            case .full: "full"
            case .corrupt: "corrupt"
            case nil: "other"
            }
        #expect(found == expected)
    }

    @Test func `a table whose primary key has another order than its columns is sound`() async throws {
        try await withSQLiteGraph { fixture in
            let (ann, bob) = (try await fixture.user("ann"), try await fixture.user("bob"))
            let community = try await fixture.graph.communities.createCommunity(name: "c", description: "", by: ann).id
            _ = try await fixture.database.write {
                try $0.execute(
                    "INSERT INTO community_ban (community_id, user_id) VALUES (?1, ?2)",
                    [.integer(community.rawValue), .integer(bob.rawValue)])
            }
            #expect(try #require(fixture.database.corruptionCheck()).run() == nil)
            #expect(fixture.database.health.corruption == nil)
        }
    }

    @Test func `a damaged page is found by who reads it and by the check, and other pages are served`() async throws {
        try await withTemporaryDirectory("graph") { directory in
            let path = directory + "/graph.db"
            let first = try SQLiteFixture(path: path)
            let (ann, bob) = (try await first.user("ann"), try await first.user("bob"))
            let post = try await first.post(ann)
            try await first.graph.likes.like(post, by: bob)
            #expect(try #require(first.database.corruptionCheck()).run() == nil)
            let page = try #require(
                try await first.integer("SELECT rootpage FROM sqlite_master WHERE name = 'post_like'"))
            let size = try #require(try await first.integer("PRAGMA page_size"))
            try first.database.close()
            try DamagedFile.overwrite(path, page: page, of: size)

            let second = try SQLiteFixture(path: path, clock: first.clock)
            #expect(second.database.health.corruption == nil)
            #expect(try await second.graph.accounts.account(ann)?.postsCount == 1)
            let error = await #expect(throws: DatabaseError.self) {
                try await second.integer("SELECT COUNT(*) FROM post_like NOT INDEXED")
            }
            guard case .storageCorrupt = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(second.database.health.corruption != nil)
            let third = try SQLiteFixture(path: path, clock: first.clock)
            #expect(try #require(third.database.corruptionCheck()).run() != nil)
            #expect(third.database.health.corruption != nil)
            for fixture in [second, third] { try? fixture.database.close() }
        }
    }

    @Test func `a file that is no database is told as damaged`() throws {
        let path = temporaryPath("no-database")
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(repeating: 7, count: 8_192).write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: DatabaseError.self) { try SQLiteDatabase(path: path) }
        guard case .storageCorrupt(let detail) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(detail.contains(path))
    }
}

/// Damaged bytes of a database file.
enum DamagedFile {
    static func overwrite(_ path: String, page: Int64, of size: Int64) throws {
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.seek(toOffset: UInt64((page - 1) * size))
        try file.write(contentsOf: Data(repeating: 0xA5, count: Int(size)))
        try file.close()
    }
}
