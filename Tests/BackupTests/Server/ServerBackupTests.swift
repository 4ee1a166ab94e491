import Database
import Foundation
import PostgreSQL
import PostgreSQLTestSupport
import SocialGraph
import Synchronization
import TestSupport
import Testing
import Timeline

@testable import Backup
@testable import CommandSupport

/// Backups of a database on a server.
@Suite(.timeLimit(.process))
struct ServerBackupTests {
    @Test func `a backup has a dump, the keys and every file, and names its engine`() async throws {
        try await ServerBackupFixture.with { fixture in
            let summary = try await fixture.backup.makeBackup()
            let manifest = summary.manifest
            #expect(manifest.media == 3 && manifest.files == 6 && manifest.missing == 0 && manifest.timelines == 4)
            guard case .postgreSQL(let version, "public") = manifest.engine else {
                Issue.record("\(manifest.engine)")
                return
            }
            #expect(version >= 150_000)
            #expect(try BackupManifest(encoded: manifest.encoded) == manifest)
            let text = String(decoding: manifest.encoded, as: UTF8.self)
            #expect(text.hasPrefix("{\"format\":2,"))
            let names = try fileNames(below: fixture.backup.backup).filter { !$0.hasPrefix("media/") }
            let all: Set = ["files.jsonl", "graph.dump", "manifest.json", "manifest.sha256", "token.key", "token.keys"]
            #expect(names == all && summary.others == [])
            for name in names {
                #expect(try #require(FileStatus(fixture.backup.backup + "/" + name)).mode & 0o777 == 0o600, "\(name)")
            }
        }
    }

    /// Files are stored and posts published between the beginning of the snapshot and its dump.
    @Test func `a dump has the snapshot and nothing later`() async throws {
        try await ServerBackupFixture.with { fixture in
            var job = fixture.backup.job()
            job.afterSnapshot = {
                waiting {
                    _ = try await fixture.backup.store([10])
                    try await fixture.backup.content.post(fixture.backup.author, "late")
                }
            }
            let manifest = try await job.runOnThread().manifest
            #expect(manifest.media == 3)
            _ = try await fixture.restoration.run()
            try await fixture.withRestored { graph in
                let posts = try await graph.feeds.authorFeed(of: fixture.backup.author, below: nil, limit: 10)
                #expect(posts.count == 5)
            }
        }
    }

    @Test func `a backup ends while others go on writing`() async throws {
        try await ServerBackupFixture.with { fixture in
            let (content, author) = (fixture.backup.content, fixture.backup.author)
            let (begun, signal) = AsyncStream.makeStream(of: Void.self)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    defer { signal.finish() }
                    var posts = 0
                    while !Task.isCancelled {
                        try await content.post(author, "post \(posts)")
                        posts += 1
                        signal.finish()
                    }
                }
                // The backup begins when others do write.
                for await _ in begun {}
                let summary = try await fixture.backup.makeBackup()
                group.cancelAll()
                #expect(summary.manifest.files == 6)
                try await group.waitForAll()
            }
            let summary = try await fixture.restoration.run()
            #expect(summary.timelines.timelines == 4 && summary.timelines.isClean)
        }
    }

    @Test func `a missing or outdated pg_dump is reported with what to install`() async throws {
        try await ServerBackupFixture.with { fixture in
            var job = fixture.backup.job()
            job.programs = .init(versioned: [], others: [])
            await expect(job, fails: "The program pg_dump is not installed.", fixture)
            await expect(job, fails: "postgresql-client-15", fixture)
            let old = try fixture.script("pg_dump", "echo 'pg_dump (PostgreSQL) 14.3'").versioned[0].path
            job.programs = PostgreSQLProgram.Folders(versioned: [(version: 14, path: old)], others: [])
            await expect(job, fails: "is of PostgreSQL 14, and the server is 15", fixture)
            job.programs = .init(versioned: [], others: ["/none", old])
            await expect(job, fails: "is of PostgreSQL 14, and the server is 15", fixture)
        }
    }

    @Test func `a pg_dump that fails or is killed midway ends the backup and leaves nothing`() async throws {
        try await ServerBackupFixture.with { fixture in
            var job = fixture.backup.job()
            job.programs = try fixture.script("pg_dump", "echo 'the disk is full' >&2; exit 1")
            await expect(job, fails: "pg_dump has failed (exit status 1): the disk is full", fixture)
            job.programs = try fixture.script(
                "pg_dump",
                """
                for argument; do
                    case $argument in --file=*) echo part >"${argument#*=}" ;; esac
                done
                kill -KILL $$
                """)
            await expect(job, fails: "pg_dump has failed (ended by signal 9)", fixture)
            let summary = try await fixture.backup.makeBackup()
            #expect(summary.manifest.files == 6)
        }
    }

    @Test func `the password is in the environment of pg_dump and in no argument`() async throws {
        try await ServerBackupFixture.with { fixture in
            let server = try await PostgreSQLServer.shared()
            let name = fixture.source.address.databaseArgument.dropFirst("dbname='".count).dropLast()
            let address = try PostgreSQLAddress(
                parsing: "postgres://graphd:s3cret@/\(name)?host=\(server.directory)")
            let directory = DataDirectory(
                path: fixture.backup.directory.path, server: DatabaseServer(address: address))
            let record = fixture.backup.directory.path + "/programs/record"
            var job = BackupJob(of: directory, to: fixture.backup.backup)
            job.programs = try fixture.script(
                "pg_dump", "{ printf '%s\\n' \"$@\"; env | grep ^PG; } >'\(record)'; exit 1")
            await expect(job, fails: "pg_dump has failed", fixture)
            let lines = try String(contentsOfFile: record, encoding: .utf8).split(separator: "\n")
            #expect(lines.contains("PGPASSWORD=s3cret") && lines.contains("PGDATABASE=\(name)"))
            #expect(lines.filter { $0.contains("s3cret") }.count == 1)
            #expect(lines.contains { $0.hasPrefix("--snapshot=") } && lines.contains("--schema=\"public\""))
        }
    }

    private func expect(
        _ job: BackupJob, fails words: String, _ fixture: ServerBackupFixture,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let failure = await #expect(throws: CommandFailure.self, sourceLocation: sourceLocation) {
            try await job.runOnThread()
        }
        #expect(
            failure?.description.contains(words) == true, "\(failure?.description ?? "")",
            sourceLocation: sourceLocation)
        #expect((try? fixture.backup.leftovers()) == [])
    }
}
