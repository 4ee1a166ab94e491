import Database
import Foundation
import GraphServices
import MediaFiles
import ObjectStorage
import ObjectStorageTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import Backup
@testable import CommandSupport

/// Files of a graph that are copied to a bucket, saved from it and restored into one.
@Suite(.timeLimit(.process))
struct BucketBackupTests {
    private static func access(_ service: StrictS3, prefix: String = "") throws -> BucketAccess {
        try BucketAccess(parsing: service.address(prefix: prefix), environment: StrictS3.environment)
    }

    private static func copy(
        _ fixture: BackupFixture, from: MediaEnd, to: MediaEnd
    ) async throws -> MediaCopy.Summary {
        try await MediaCopy(
            of: fixture.graph, from: try await from.open(for: fixture.graph, isTarget: false),
            to: try await to.open(for: fixture.graph, isTarget: true), folder: fixture.root + "/copying",
            readsBack: true
        ).run()
    }

    private static func with(
        _ body: @escaping @Sendable (BackupFixture, StrictS3) async throws -> Void
    ) async throws {
        try await StrictS3.with { service in
            try await BackupFixture.with { fixture in try await body(fixture, service) }
        }
    }

    private static func files(_ fixture: BackupFixture) async throws -> [StoredFileRow] {
        try await fixture.graph.database.read { try BackupQueries(reader: $0).storedFiles(above: MediaID(rawValue: 0)) }
    }

    @Test func `files are copied once, in both directions, and compared with their digests`() async throws {
        try await Self.with { fixture, service in
            let disk = MediaEnd.directory(fixture.directory.media)
            let bucket = MediaEnd.bucket(try Self.access(service))
            #expect(try await Self.copy(fixture, from: disk, to: bucket).copied == 3)
            let again = try await Self.copy(fixture, from: disk, to: bucket)
            #expect(again == MediaCopy.Summary(copied: 0, copiedBytes: 0, present: 3, missing: []))
            for file in try await Self.files(fixture) {
                let object = try #require(service.objects[String(file.path.dropFirst("media/".count))])
                #expect(object.bytes == (try fixture.content(fixture.directory.path + "/" + file.path)))
            }
            // A data directory that does not exist yet.
            let new = fixture.root + "/new"
            let back = try await Self.copy(fixture, from: bucket, to: try MediaEnd(parsing: new, environment: [:]))
            #expect(back.copied == 3 && back.missing.isEmpty)
            #expect(try fileNames(below: new + "/media") == fileNames(below: fixture.directory.media))
        }
    }

    @Test func `a source that does not exist is refused, and not created`() async throws {
        try await Self.with { fixture, service in
            let bucket = MediaEnd.bucket(try Self.access(service))
            let missing = fixture.root + "/missing"
            let refusal = await #expect(throws: CommandFailure.self) {
                try await Self.copy(fixture, from: try MediaEnd(parsing: missing, environment: [:]), to: bucket)
            }
            #expect("\(String(describing: refusal))".contains("There is no directory \(missing)"))
            #expect(!FileManager.default.fileExists(atPath: missing))
        }
    }

    @Test func `a copy that was interrupted goes on, and names what is missing or damaged`() async throws {
        try await Self.with { fixture, service in
            let disk = MediaEnd.directory(fixture.directory.media)
            let bucket = MediaEnd.bucket(try Self.access(service))
            _ = try await bucket.open(for: fixture.graph, isTarget: true)
            service.fail("PUT", with: [0, 403])
            await #expect(throws: BucketFailure.self) { try await Self.copy(fixture, from: disk, to: bucket) }
            let files = try await Self.files(fixture)
            let path = fixture.directory.path + "/" + files[0].path
            try Data("another content   ".utf8).write(to: URL(fileURLWithPath: path))
            service.edit { $0["\(MediaDirectory.folder(of: files[0].id))/\(files[0].fileName)"] = nil }
            let summary = try await Self.copy(fixture, from: disk, to: bucket)
            #expect(summary.missing == [files[0].fileName] && summary.copied + summary.present == 2)
            #expect(service.objects.count == 3)
        }
    }

    @Test func `a file that a killed copy has left under way is fetched anew`() async throws {
        try await Self.with { fixture, service in
            let file = try await Self.files(fixture)[1]
            let left = fixture.root + "/copying/" + file.fileName
            try FileManager.default.createDirectory(
                atPath: fixture.root + "/copying", withIntermediateDirectories: true)
            try Data("half".utf8).write(to: URL(fileURLWithPath: left))
            let summary = try await Self.copy(
                fixture, from: .directory(fixture.directory.media), to: .bucket(try Self.access(service)))
            #expect(summary.copied == 3 && summary.missing.isEmpty)
            #expect(!FileManager.default.fileExists(atPath: left))
        }
    }

    @Test func `a copy beside another is refused, and leaves its files alone`() async throws {
        try await Self.with { fixture, service in
            let disk = MediaEnd.directory(fixture.directory.media)
            let bucket = MediaEnd.bucket(try Self.access(service))
            let first = try CopyFolder(fixture.root + "/copying")
            let file = try await Self.files(fixture)[1]
            let unfinished = first.path + "/" + file.fileName
            try Data("half".utf8).write(to: URL(fileURLWithPath: unfinished))
            let refusal = await #expect(throws: CommandFailure.self) {
                try await Self.copy(fixture, from: disk, to: bucket)
            }
            #expect("\(String(describing: refusal))".contains("Another copy to this place is under way"))
            #expect(try fixture.content(unfinished) == Array("half".utf8))
            // Removed as at the end of the first, which still has it open.
            unlink(unfinished)
            first.remove()
            #expect(try await Self.copy(fixture, from: disk, to: bucket).copied == 3)
            #expect(!FileManager.default.fileExists(atPath: first.path))
        }
    }

    @Test func `a service that changes what it stores is noticed`() async throws {
        try await Self.with { fixture, service in
            let disk = MediaEnd.directory(fixture.directory.media)
            let bucket = MediaEnd.bucket(try Self.access(service))
            service.corrupt()
            await #expect(throws: DamagedFile.self) { try await Self.copy(fixture, from: disk, to: bucket) }
        }
    }

    @Test func `a backup from a bucket is restored into a directory, and into a bucket of its own`() async throws {
        try await Self.with { fixture, service in
            let access = try Self.access(service)
            _ = try await Self.copy(
                fixture, from: .directory(fixture.directory.media), to: .bucket(access))
            try await fixture.graph.settings.store("\(access.address)", as: MediaPlace.setting)
            let names = try fileNames(below: fixture.directory.media)
            try FileManager.default.removeItem(atPath: fixture.directory.media)
            let unnamed = await #expect(throws: CommandFailure.self) { try await fixture.makeBackup() }
            #expect("\(String(describing: unnamed))".contains("s3://media/"))
            var job = fixture.job()
            job.bucket = access
            let summary = try await job.runOnThread()
            #expect(summary.manifest.media == 3 && summary.linked == 0 && summary.manifest.missing == 0)
            #expect(try fileNames(below: fixture.backup + "/media") == names)

            _ = try await RestoreJob(from: fixture.backup, to: fixture.restored).run()
            #expect(try fileNames(below: fixture.restored + "/media") == names)
            var into = RestoreJob(from: fixture.backup, to: fixture.root + "/second")
            into.bucket = access
            await #expect(throws: CommandFailure.self) { try await into.run() }
            into.bucket = try Self.access(service, prefix: "second")
            _ = try await into.run()
            #expect(Set(service.objects.keys.filter { $0.hasPrefix("second/") }).count == 4)
            let graph = try DataDirectory(path: fixture.root + "/second").openGraph()
            #expect(try await graph.settings.setting(MediaPlace.setting) == "s3://media/second/")
            #expect(try await graph.settings.setting(MediaBucket.graphSetting) != nil)
            #expect(
                try await graph.settings.setting(MediaBucket.graphSetting)
                    != fixture.graph.settings.setting(MediaBucket.graphSetting))
        }
    }

    @Test func `a restore that cannot fill the bucket leaves it to nobody`() async throws {
        try await Self.with { fixture, service in
            try await fixture.makeBackup()
            var job = RestoreJob(from: fixture.backup, to: fixture.restored)
            job.bucket = try Self.access(service)
            service.fail("PUT", with: [0, 0, 403])
            try await fixture.expectRefusal("cannot be used", by: job)
            #expect(service.objects[MediaBucket.ownerName] == nil)
            _ = try await job.run()
            #expect(service.objects.count == 4)
        }
    }

    @Test func `a restore that fails after it has filled the bucket leaves it to nobody`() async throws {
        try await Self.with { fixture, service in
            try await fixture.makeBackup()
            var job = RestoreJob(from: fixture.backup, to: fixture.restored)
            job.bucket = try Self.access(service)
            let other = fixture.restored + "/another"
            job.beforeVerification = {
                try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
            }
            let failure = await #expect(throws: CommandFailure.self) { try await job.run() }
            #expect("\(String(describing: failure))".contains("created by another process"))
            #expect(service.objects[MediaBucket.ownerName] == nil && service.objects.count == 3)
            try FileManager.default.removeItem(atPath: fixture.restored)
            job.beforeVerification = {}
            _ = try await job.run()
            #expect(service.objects.count == 4)
        }
    }

    @Test func `an object that is lost ends a backup, unless it may be missing`() async throws {
        try await Self.with { fixture, service in
            let access = try Self.access(service)
            _ = try await Self.copy(fixture, from: .directory(fixture.directory.media), to: .bucket(access))
            try await fixture.graph.settings.store("\(access.address)", as: MediaPlace.setting)
            let file = try await Self.files(fixture)[1]
            service.edit { $0["\(MediaDirectory.folder(of: file.id))/\(file.fileName)"] = nil }
            var job = fixture.job()
            job.bucket = access
            let failure = await #expect(throws: CommandFailure.self) { try await job.runOnThread() }
            #expect("\(String(describing: failure))".contains(file.fileName))
            job.allowsMissingFiles = true
            #expect(try await job.runOnThread().manifest.missing == 1)
        }
    }
}
