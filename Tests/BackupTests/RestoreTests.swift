import Audit
import Database
import Foundation
import GraphServices
import Sessions
import SocialGraph
import TestSupport
import Testing
import Timeline

@testable import Backup
@testable import CommandSupport

/// Restored directories, whose timelines are verified in a redis-server.
@Suite(.timeLimit(.process))
struct RestoreTests {
    @Test func `a restored directory has everything of the backup`() async throws {
        try await BackupFixture.with { fixture in
            let manifest = try await fixture.makeBackup().manifest
            try FileManager.default.createDirectory(atPath: fixture.restored, withIntermediateDirectories: true)
            let summary = try await RestoreJob(from: fixture.backup, to: fixture.restored).run()
            #expect(summary.timelines.timelines == 4 && summary.timelines.windows == 4)
            // The author's own posts, and those of the author for three followers.
            #expect(summary.timelines.entries >= 20 && summary.timelines.isClean && summary.manifest == manifest)
            let directory = try DataDirectory.open(at: fixture.restored)
            let ring = try TokenKeyRing.load(inDirectory: fixture.directory.path)
            #expect(try TokenKeyRing.load(inDirectory: directory.path) == ring)
            let media = try fileNames(below: fixture.directory.media)
            #expect(try fileNames(below: directory.media) == media)
            for name in try fileNames(below: directory.path) {
                let mode = try #require(FileStatus(directory.path + "/" + name)).mode & 0o777
                #expect(mode == 0o600, "\(name)")
            }
            let graph = try directory.openGraph()
            let posts = try await graph.feeds.authorFeed(of: fixture.author, below: nil, limit: 10)
            let original = try await fixture.graph.feeds.authorFeed(of: fixture.author, below: nil, limit: 10)
            #expect(posts == original && posts.count == 5)
            let act = AuditNote(.restored, by: .machineUser, detail: "backup of \(manifest.instant)")
            #expect(try await graph.audit.entries(below: nil, limit: 9).items.map(\.act) == [act])
            #expect(try await fixture.graph.audit.entries(below: nil, limit: 9).items.isEmpty)
            #expect(try fixture.leftovers() == ["backup", "restored"])
        }
    }

    @Test func `no place of the original's change log is used again`() async throws {
        try await BackupFixture.with { fixture in
            try await fixture.makeBackup()
            for _ in 0..<3 { try await fixture.content.post(fixture.author, "lost") }
            let reached = try await fixture.graph.changes.latestChange()
            _ = try await RestoreJob(from: fixture.backup, to: fixture.restored).run()
            let graph = try DataDirectory.open(at: fixture.restored).openGraph()
            let oldest = try #require(try await graph.changes.oldestChange())
            #expect(oldest > reached + 1_000_000)
            _ = try await graph.accounts.createAccount(username: "new", email: nil, passwordHash: nil)
            let new = try #require(try await graph.accounts.account(username: "new"))
            try await graph.follows.follow(fixture.author, new.id)
            #expect(try await graph.changes.latestChange() > oldest)
        }
    }

    @Test func `a copy with new keys does not accept the original's tokens`() async throws {
        try await BackupFixture.with { fixture in
            try await fixture.makeBackup()
            var job = RestoreJob(from: fixture.backup, to: fixture.restored)
            job.keepsKeys = false
            _ = try await job.run()
            #expect(!FileManager.default.fileExists(atPath: fixture.restored + "/token.key"))
            #expect(!FileManager.default.fileExists(atPath: fixture.restored + "/token.keys"))
            let (ring, original) = (
                try TokenKeyRing.load(inDirectory: fixture.restored),
                try TokenKeyRing.load(inDirectory: fixture.directory.path)
            )
            #expect(ring.signing != original.signing)
        }
    }

    @Test func `a backup of a restored directory can be restored`() async throws {
        try await BackupFixture.with { fixture in
            try await fixture.makeBackup()
            _ = try await RestoreJob(from: fixture.backup, to: fixture.restored).run()
            let second = fixture.root + "/second"
            _ = try await BackupJob(of: DataDirectory.open(at: fixture.restored), to: second).runOnThread()
            let summary = try await RestoreJob(from: second, to: fixture.root + "/third").run()
            #expect(summary.timelines.windows == 4 && summary.manifest.media == 3)
        }
    }

    @Test func `a backup that lacks files by permission is restored`() async throws {
        try await BackupFixture.with { fixture in
            let file = try await fixture.store([1, 2, 3])
            try FileManager.default.removeItem(atPath: fixture.directory.path + "/" + file.path)
            var job = fixture.job()
            job.allowsMissingFiles = true
            _ = try await job.runOnThread()
            let summary = try await RestoreJob(from: fixture.backup, to: fixture.restored).run()
            #expect(summary.manifest.missing == 1 && summary.manifest.media == 3)
        }
    }
}
