import Database
import Foundation
import GraphServices
import SocialGraph
import Synchronization
import TestSupport
import Testing

@testable import Backup
@testable import CommandSupport

@Suite(.timeLimit(.unit))
struct BackupTests {
    @Test func `a backup has the database, the keys and every file, and says what it has`() async throws {
        try await BackupFixture.with { fixture in
            let before = try await fixture.graph.changes.latestChange()
            let summary = try await fixture.makeBackup()
            let manifest = summary.manifest
            #expect(manifest.media == 3 && manifest.files == 6 && summary.linked == 3 && manifest.missing == 0)
            #expect(manifest.timelines == 4 && manifest.lastChange == before && manifest.schema.hasPrefix("0."))
            #expect(try BackupManifest(encoded: manifest.encoded) == manifest)
            for line in try fixture.list {
                let entry = try BackupEntry(line: Array(line.utf8))
                #expect(entry.line == Array((line + "\n").utf8))
                let path = fixture.backup + "/" + entry.path
                #expect(try RegularFile(path).read() == entry.digest)
                let mode = try #require(FileStatus(path)).mode & 0o777
                // Links have the mode of the file that the test has written.
                #expect(entry.path.hasPrefix("media") || mode == 0o600, "\(entry.path)")
            }
            for name in ["token.key", "token.keys"] {
                let original = try fixture.content(fixture.directory.path + "/" + name)
                #expect(try fixture.content(fixture.backup + "/" + name) == original)
            }
            let mode = try #require(FileStatus(fixture.backup)).mode & 0o777
            #expect(mode == 0o700)
            let names = try fileNames(below: fixture.backup).filter { !$0.hasPrefix("media/") }
            let all: Set = ["files.jsonl", "graph.db", "manifest.json", "manifest.sha256", "token.key", "token.keys"]
            #expect(names == all)
            let last = try #require(LastBackup.load(from: fixture.directory))
            #expect(last.destination == summary.destination && last.bytes == manifest.bytes && last.files == 6)
            #expect(summary.others == [] && summary.note == nil)
        }
    }

    @Test func `media are copied where links are not wanted`() async throws {
        try await BackupFixture.with { fixture in
            var job = fixture.job()
            job.copiesMedia = true
            let summary = try await job.runOnThread()
            #expect(summary.linked == 0 && summary.manifest.media == 3)
            for file in try fileNames(below: fixture.backup + "/media") {
                let copy = try #require(FileStatus(fixture.backup + "/media/" + file))
                #expect(copy.inode != FileStatus(fixture.directory.media + "/" + file)?.inode)
            }
        }
    }

    @Test func `an existing destination is refused and stays as it is`() async throws {
        try await BackupFixture.with { fixture in
            try FileManager.default.createDirectory(atPath: fixture.backup, withIntermediateDirectories: true)
            for target in [fixture.backup, fixture.directory.path + "/graph.db"] {
                await #expect(throws: CommandFailure.self) {
                    try await BackupJob(of: fixture.directory, to: target).runOnThread()
                }
            }
            #expect(try fixture.leftovers() == ["backup"])
            #expect(try fileNames(below: fixture.backup) == [])
        }
    }

    @Test func `a destination in the data directory or in a missing directory is refused`() async throws {
        try await BackupFixture.with { fixture in
            for target in ["/data/backup", "/data/media/backup", "/none/backup"] {
                await #expect(throws: CommandFailure.self) {
                    try await BackupJob(of: fixture.directory, to: fixture.root + target).runOnThread()
                }
            }
            let left = try fixture.leftovers()
            #expect(left == [])
        }
    }

    @Test func `a missing file ends the backup unless that is allowed`() async throws {
        try await BackupFixture.with { fixture in
            let file = try await fixture.store([1, 2, 3])
            try FileManager.default.removeItem(atPath: fixture.directory.path + "/" + file.path)
            await #expect(throws: CommandFailure.self) { try await fixture.makeBackup() }
            #expect(try fixture.leftovers() == [])
            var job = fixture.job()
            job.allowsMissingFiles = true
            let summary = try await job.runOnThread()
            #expect(summary.manifest.missing == 1 && summary.manifest.media == 3)
        }
    }

    @Test func `a damaged file ends the backup, linked or copied`() async throws {
        try await BackupFixture.with { fixture in
            let file = try await fixture.store([1, 2, 3])
            try Data([1, 2, 4]).write(to: URL(fileURLWithPath: fixture.directory.path + "/" + file.path))
            for copies in [false, true] {
                var job = fixture.job()
                job.copiesMedia = copies
                await #expect(throws: CommandFailure.self) { try await job.runOnThread() }
            }
            #expect(try fixture.leftovers() == [])
            // Not noticed if its digest is trusted. A restore notices it.
            var job = fixture.job()
            job.readsLinks = false
            _ = try await job.runOnThread()
            try await fixture.expectRefusal("is damaged: its SHA-256")
        }
    }

    /// One file is deleted between the first look at the files and the snapshot, another between the snapshot and the
    /// second look, so that the snapshot names a file that nobody has.
    @Test func `files deleted during the backup are in neither the database nor media`() async throws {
        try await BackupFixture.with { fixture in
            let early = try await fixture.store([1])
            let late = Mutex<StoredFileRow?>(nil)
            let snapshots = Mutex(0)
            var job = fixture.job()
            job.now = {
                if late.withLock({ $0 }) != nil { return 0 }
                waiting {
                    try await fixture.delete(early)
                    let row = try await fixture.store([2])
                    late.withLock { $0 = row }
                }
                return 0
            }
            job.afterSnapshot = {
                let number = snapshots.withLock { number in
                    number += 1
                    return number
                }
                if number == 1, let row = late.withLock({ $0 }) { waiting { try await fixture.delete(row) } }
            }
            let summary = try await job.runOnThread()
            #expect(snapshots.withLock { $0 } == 2)
            #expect(summary.manifest.media == 3 && summary.manifest.missing == 0)
            #expect(try fileNames(below: fixture.backup + "/media").count == 3)
        }
    }

    /// A file that is stored during the backup has its row in the snapshot, or comes after it.
    @Test func `files stored before the snapshot are in the backup`() async throws {
        try await BackupFixture.with { fixture in
            let stored = Mutex<StoredFileRow?>(nil)
            var job = fixture.job()
            job.now = {
                if stored.withLock({ $0 }) == nil {
                    waiting {
                        let row = try await fixture.store([9])
                        stored.withLock { $0 = row }
                    }
                }
                return 7_000
            }
            job.afterSnapshot = { waiting { _ = try await fixture.store([10]) } }
            let summary = try await job.runOnThread()
            let row = try #require(stored.withLock { $0 })
            #expect(summary.manifest.media == 4 && summary.manifest.instant == "1970-01-01T00:00:07.000Z")
            #expect(try fixture.content(fixture.backup + "/" + row.path) == [9])
        }
    }

    @Test func `a backup ends while others go on writing`() async throws {
        try await BackupFixture.with { fixture in
            let author = fixture.author
            let (begun, signal) = AsyncStream.makeStream(of: Void.self)
            let posts = try await withThrowingTaskGroup(of: Int.self) { group in
                group.addTask {
                    defer { signal.finish() }
                    var posts = 0
                    while !Task.isCancelled {
                        try await fixture.content.post(author, "post \(posts)")
                        posts += 1
                        signal.finish()
                    }
                    return posts
                }
                // The backup begins when others do write.
                for await _ in begun {}
                let summary = try await fixture.makeBackup()
                group.cancelAll()
                #expect(summary.manifest.files == 6)
                return try await group.next() ?? 0
            }
            #expect(posts > 0)
        }
    }

    @Test func `of two backups to one place one is made`() async throws {
        try await BackupFixture.with { fixture in
            let made = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<2 { group.addTask { (try? await fixture.makeBackup()) != nil } }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(made == 1)
            #expect(try fixture.leftovers() == ["backup"])
            _ = try BackupArchive(fixture.backup)
        }
    }

    @Test func `what a killed backup has left is removed, and no other directory`() async throws {
        try await BackupFixture.with { fixture in
            let dead = fixture.root + "/" + PartialDirectory.prefix + "dead"
            try FileManager.default.createDirectory(atPath: dead + "/media", withIntermediateDirectories: true)
            let partial = try PartialDirectory.create(in: fixture.root)
            defer { withExtendedLifetime(partial) {} }
            #expect(!FileManager.default.fileExists(atPath: dead))
            try FileManager.default.createDirectory(atPath: dead, withIntermediateDirectories: true)
            try await fixture.makeBackup()
            let living = (partial.path as NSString).lastPathComponent
            #expect(try fixture.leftovers() == [living, "backup"].sorted())
        }
    }

    /// SQLite's quick check reports a NULL value there, falsely.
    @Test func `a database with banned members is not taken for a damaged one`() async throws {
        try await BackupFixture.with { fixture in
            let (graph, author) = (fixture.graph, fixture.author)
            let community = try await graph.communities.createCommunity(name: "c", description: "", by: author).id
            _ = try await fixture.graph.database.write {
                try $0.execute(
                    "INSERT INTO community_ban (community_id, user_id) VALUES (?1, ?2)",
                    [.integer(community.rawValue), .integer(author.rawValue)])
            }
            #expect(try await fixture.makeBackup().manifest.files == 6)
        }
    }

    @Test func `files that are not graphd's are named`() async throws {
        try await BackupFixture.with { fixture in
            for name in ["notes.txt", "redis.log", "graph.db-shm", "token.key.1.2", "ballast"] {
                let path = fixture.directory.path + "/" + name
                if !FileManager.default.fileExists(atPath: path) { try Data().write(to: URL(fileURLWithPath: path)) }
            }
            #expect(try await fixture.makeBackup().others == ["notes.txt"])
        }
    }
}
