import Audit
import Database
import Foundation
import GraphAssembly
import GraphServices
import PostgreSQL
import PostgreSQLTestSupport
import Sessions
import SocialGraph
import TestSupport
import Testing
import Timeline

@testable import Backup
@testable import CommandSupport

/// Backups of a database on a server, restored into another.
@Suite(.timeLimit(.process))
struct ServerRestoreTests {
    @Test func `a restored database and directory have everything of the backup`() async throws {
        try await ServerBackupFixture.with { fixture in
            let backup = fixture.backup
            let manifest = try await backup.makeBackup().manifest
            let summary = try await fixture.restoration.run()
            #expect(summary.timelines.timelines == 4 && summary.timelines.windows == 4)
            #expect(summary.timelines.entries >= 20 && summary.timelines.isClean && summary.manifest == manifest)
            let ring = try TokenKeyRing.load(inDirectory: backup.directory.path)
            #expect(try TokenKeyRing.load(inDirectory: backup.restored) == ring)
            #expect(try fileNames(below: backup.restored + "/media") == fileNames(below: backup.directory.media))
            #expect(try !fileNames(below: backup.restored).contains { $0.hasPrefix("graph.") })
            try await fixture.withRestored { graph in
                let posts = try await graph.feeds.authorFeed(of: backup.author, below: nil, limit: 10)
                let original = try await backup.graph.feeds.authorFeed(of: backup.author, below: nil, limit: 10)
                #expect(posts == original && posts.count == 5)
                let act = AuditNote(.restored, by: .machineUser, detail: "backup of \(manifest.instant)")
                #expect(try await graph.audit.entries(below: nil, limit: 9).items.map(\.act) == [act])
                let oldest = try #require(try await graph.changes.oldestChange())
                #expect(try await oldest > backup.graph.changes.latestChange() + 1_000_000)
                // It can be written: triggers, references and places in the log came along.
                try await backup.graph.follows.follow(backup.author, try await user("late", backup.graph))
                try await graph.follows.follow(backup.author, try await user("new", graph))
                #expect(try await graph.changes.latestChange() > oldest)
            }
            // And saved again, although tables of the original were made by this version, too.
            let second = BackupJob(
                of: try DataDirectory.open(at: backup.restored, server: fixture.target), to: backup.root + "/second")
            #expect(try await second.runOnThread().manifest.media == 3)
        }
    }

    @Test func `a changed byte of the dump is refused before the database is touched`() async throws {
        try await ServerBackupFixture.with { fixture in
            try await fixture.backup.makeBackup()
            let whole = try fixture.backup.content(fixture.backup.backup + "/graph.dump")
            var changed = whole
            changed[whole.count / 2] ^= 1
            for damaged in [changed, Array(whole.dropLast())] {
                try fixture.backup.overwrite("graph.dump", damaged)
                try await fixture.expectRefusal("graph.dump is damaged")
            }
        }
    }

    @Test func `a dump that pg_restore cannot read leaves the database empty`() async throws {
        try await ServerBackupFixture.with { fixture in
            try await fixture.backup.makeBackup()
            var list = try fixture.backup.list
            let whole = try fixture.backup.content(fixture.backup.backup + "/graph.dump")
            // Cut off within the data of the tables, with digests that are right.
            let cut = Array(whole.prefix(whole.count * 9 / 10))
            try fixture.backup.overwrite("graph.dump", cut)
            list[0] = String(decoding: BackupEntryText.line("graph.dump", FileDigest(of: cut)), as: UTF8.self)
            try fixture.backup.forge(list)
            try await fixture.expectRefusal("pg_restore has failed")
        }
    }

    @Test func `a failure after the database was restored leaves it empty`() async throws {
        try await ServerBackupFixture.with { fixture in
            try await fixture.backup.makeBackup()
            var job = fixture.restoration
            job.beforeVerification = {
                #expect(throws: CommandFailure.self) {
                    try DataDirectory(path: fixture.backup.root + "/other", server: fixture.target).openDatabase()
                }
                throw CommandFailure("failed on purpose")
            }
            try await fixture.expectRefusal("failed on purpose", by: job)
            let names = try fixture.backup.leftovers()
            #expect(names == ["backup"])
            let summary = try await fixture.restoration.run()
            #expect(summary.timelines.isClean)
        }
    }

    @Test func `a database that is not empty is refused and stays as it is`() async throws {
        try await ServerBackupFixture.with { fixture in
            try await fixture.backup.makeBackup()
            let job = RestoreJob(from: fixture.backup.backup, to: fixture.backup.restored, server: fixture.source)
            try await fixture.backup.expectRefusal("is not empty (it has the table", by: job)
            let posts = try await fixture.backup.graph.feeds.authorFeed(
                of: fixture.backup.author, below: nil, limit: 10)
            #expect(posts.count == 5)
        }
    }

    @Test func `what a killed restore has left is served by nobody and removed by the next`() async throws {
        try await ServerBackupFixture.with { fixture in
            let address = fixture.target.address
            try await fixture.backup.makeBackup()
            do {
                let target = try await onThread { try RestorationTarget(address) }
                try await fixture.backup.expectRefusal("another graphd restores", by: fixture.restoration)
                try await onThread { try target.undo() }
            }
            try await fixture.waitUntilUnlocked()
            // All tables, as if the process had ended after its pg_restore.
            try await onThread { try PostgreSQLDatabase(graphAt: address, options: .tests).close() }
            try await fixture.backup.expectRefusal("is not empty", by: fixture.restoration)
            try await fixture.waitUntilUnlocked()
            try await fixture.mark()
            #expect(throws: CommandFailure.self) {
                try DataDirectory(path: fixture.backup.root + "/other", server: fixture.target).openDatabase()
            }
            let summary = try await fixture.restoration.run()
            #expect(summary.timelines.isClean)
        }
    }

    @Test func `a backup of another engine is refused with the way out`() async throws {
        try await ServerBackupFixture.with { fixture in
            try await fixture.backup.makeBackup()
            try await fixture.backup.expectRefusal("has a PostgreSQL database. Name an empty one")
        }
        try await BackupFixture.with { fixture in
            try await fixture.makeBackup()
            let server = DatabaseServer(address: try PostgreSQLAddress(parsing: "postgres://graphd@nowhere/graphd"))
            try await fixture.expectRefusal(
                "graphd database copy", by: RestoreJob(from: fixture.backup, to: fixture.restored, server: server))
        }
    }

    @Test func `a newer server's backup and one of another schema are refused`() async throws {
        try await ServerBackupFixture.with { fixture in
            try await fixture.backup.makeBackup()
            let list = try fixture.backup.list
            try fixture.backup.forge(list, engine: .postgreSQL(version: 990_001, schema: "public"))
            try await fixture.expectRefusal("The backup is of PostgreSQL 99")
            try fixture.backup.forge(list, engine: .postgreSQL(version: 150_001, schema: "other"))
            try await fixture.expectRefusal("in the schema \"other\"")
            try fixture.backup.forge(list, engine: .sqlite)
            try await fixture.backup.expectRefusal("not in its place")
        }
    }

    @Test func `a missing pg_restore is reported and leaves the database empty`() async throws {
        try await ServerBackupFixture.with { fixture in
            try await fixture.backup.makeBackup()
            var job = fixture.restoration
            job.programs = .init(versioned: [], others: [])
            try await fixture.expectRefusal("The program pg_restore is not installed", by: job)
        }
    }

    private func user(_ name: String, _ graph: GraphStore) async throws -> UserID {
        try await graph.accounts.createAccount(username: name, email: nil, passwordHash: nil).id
    }
}
