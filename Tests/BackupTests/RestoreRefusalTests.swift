import Database
import Foundation
import GraphServices
import SocialGraph
import TestSupport
import Testing

@testable import Backup
@testable import CommandSupport

/// Backups that were damaged, or forged by somebody who can also write their digests.
@Suite(.timeLimit(.unit))
struct RestoreRefusalTests {
    @Test func `a changed byte in any file is refused`() async throws {
        try await BackupFixture.with { fixture in
            var job = fixture.job()
            job.copiesMedia = true
            _ = try await job.runOnThread()
            let names = try fileNames(below: fixture.backup)
            #expect(names.count == 9)
            for name in names.sorted() {
                let whole = try fixture.content(fixture.backup + "/" + name)
                var changed = whole
                changed[whole.count / 2] ^= 1
                try fixture.overwrite(name, changed)
                try await fixture.expectRefusal()
                try fixture.overwrite(name, Array(whole.dropLast()))
                try await fixture.expectRefusal()
                try fixture.overwrite(name, whole)
            }
        }
    }

    @Test func `a missing or additional file is refused`() async throws {
        try await BackupFixture.with { fixture in
            try await fixture.makeBackup()
            for name in ["notes.txt", "media/00/1.mp4"] {
                let folder = (fixture.backup + "/" + name as NSString).deletingLastPathComponent
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                try fixture.overwrite(name, [1])
                try await fixture.expectRefusal("which its list does not name")
                try FileManager.default.removeItem(atPath: fixture.backup + "/" + name)
            }
            for name in try fileNames(below: fixture.backup) {
                let whole = try fixture.content(fixture.backup + "/" + name)
                try FileManager.default.removeItem(atPath: fixture.backup + "/" + name)
                try await fixture.expectRefusal()
                try fixture.overwrite(name, whole)
            }
        }
    }

    @Test(arguments: [
        "../stolen", "/etc/hostname", "media/../../stolen", "media/00/../../../stolen", "serve.lock", "manifest.json",
    ])
    func `a path that leaves the backup is refused`(path: String) async throws {
        try await BackupFixture.with { fixture in
            try await fixture.makeBackup()
            try Data([1]).write(to: URL(fileURLWithPath: fixture.root + "/stolen"))
            let line = String(decoding: BackupEntryText.line(path, FileDigest(of: [1])), as: UTF8.self)
            let list = try fixture.list
            try fixture.forge([list[0], line] + list.dropFirst(), files: 7)
            try await fixture.expectRefusal("which is not a file of a backup")
        }
    }

    @Test func `a symbolic link is refused`() async throws {
        try await BackupFixture.with { fixture in
            try await fixture.makeBackup()
            let files = FileManager.default
            let folder = try Self.firstFolder(fixture)
            for name in ["graph.db", "token.key", "files.jsonl", "manifest.json", folder, "media"] {
                let path = fixture.backup + "/" + name
                try files.moveItem(atPath: path, toPath: fixture.root + "/elsewhere")
                try files.createSymbolicLink(atPath: path, withDestinationPath: fixture.root + "/elsewhere")
                try await fixture.expectRefusal()
                try files.removeItem(atPath: path)
                try files.moveItem(atPath: fixture.root + "/elsewhere", toPath: path)
            }
        }
    }

    private static func firstFolder(_ fixture: BackupFixture) throws -> String {
        let folders = try FileManager.default.contentsOfDirectory(atPath: fixture.backup + "/media")
        return "media/" + (try #require(folders.min()))
    }

    @Test func `a list that is longer than the manifest says is refused`() async throws {
        try await BackupFixture.with { fixture in
            try await fixture.makeBackup()
            let list = try fixture.list
            try fixture.forge(list, files: 5)
            try await fixture.expectRefusal("more than the 5 files")
            try fixture.forge(list, bytes: 1_000)
            try await fixture.expectRefusal("more than the 6 files of 1000 bytes")
            try fixture.forge(Array(list.dropLast()))
            try await fixture.expectRefusal("The list of files has 5 files")
        }
    }

    @Test func `a file of impossible length is refused before it is read`() async throws {
        try await BackupFixture.with { fixture in
            try await fixture.makeBackup()
            let list = try fixture.list
            let huge = list[0].replacing(#/"bytes":\d+/#, with: #""bytes":9223372036854775807"#)
            try fixture.forge([huge] + list.dropFirst(), bytes: .max)
            try await fixture.expectRefusal("is too full")
            try fixture.forge([huge] + list.dropFirst(), bytes: 1_000_000)
            try await fixture.expectRefusal("more than the 6 files of 1000000 bytes")
        }
    }

    @Test func `a list out of order or with a file twice is refused`() async throws {
        try await BackupFixture.with { fixture in
            try await fixture.makeBackup()
            let list = try fixture.list
            try fixture.forge(list.reversed())
            try await fixture.expectRefusal("not in its place")
            try fixture.forge([list[0], list[1], list[1]] + list.dropFirst(3))
            try await fixture.expectRefusal("token.key twice")
        }
    }

    @Test(arguments: [
        ("\"format\":1", "\"format\":3", "has format 3"),
        ("\"format\":1", "\"format\":2", "lacks the engine"), ("\"format\":1", "\"format\":0", "not one of a backup"),
        ("\"schema\":\"0.", "\"schema\":\"9.", "which this version does not know"),
        ("\"media\":3", "\"media\":4", "The list of files has 6 files"),
        ("\"missing\":0", "\"missing\":1", "The database names 3 files"), ("\"files\":6", "\"files\":-6", "lacks"),
        ("\"version\":", "\"other\":", "lacks \"version\""), ("{", "[", "not one of a backup"),
    ])
    func `a manifest that does not fit is refused`(old: String, new: String, words: String) async throws {
        try await BackupFixture.with { fixture in
            try await fixture.makeBackup()
            let text = String(decoding: try fixture.content(fixture.backup + "/manifest.json"), as: UTF8.self)
            #expect(text.contains(old))
            try fixture.seal(Array(text.replacingOccurrences(of: old, with: new).utf8))
            try await fixture.expectRefusal(words)
        }
    }

    @Test func `a database of another content than its files is refused`() async throws {
        try await BackupFixture.with { fixture in
            var job = fixture.job()
            job.copiesMedia = true
            _ = try await job.runOnThread()
            // The digests of the list are right, and not those of the rows.
            var list = try fixture.list
            let entry = try BackupEntry(line: Array(try #require(list.last).utf8))
            let other = [UInt8](repeating: 7, count: Int(entry.digest.bytes))
            try fixture.overwrite(entry.path, other)
            list[list.count - 1] = String(
                decoding: BackupEntryText.line(entry.path, FileDigest(of: other)), as: UTF8.self)
            try fixture.forge(list)
            try await fixture.expectRefusal("names with another content")
        }
    }

    @Test func `a directory that is not empty is refused`() async throws {
        try await BackupFixture.with { fixture in
            try await fixture.makeBackup()
            try FileManager.default.createDirectory(atPath: fixture.restored, withIntermediateDirectories: true)
            try Data().write(to: URL(fileURLWithPath: fixture.restored + "/a"))
            try await fixture.expectRefusal("is not empty")
        }
    }

    @Test func `a mount point is refused before anything is restored`() async throws {
        try await BackupFixture.with { fixture in
            try await fixture.makeBackup()
            try await fixture.expectRefusal(
                "/proc is the root of a file system", by: RestoreJob(from: fixture.backup, to: "/proc"))
        }
    }

    @Test func `a directory that is not a backup is refused`() async throws {
        try await BackupFixture.with { fixture in
            try await fixture.expectRefusal("is not a backup of graphd")
        }
    }
}

/// Lines that ``BackupEntry`` does not write.
enum BackupEntryText {
    static func line(_ path: String, _ digest: FileDigest) -> [UInt8] {
        Array(#"{"path":"\#(path)","bytes":\#(digest.bytes),"sha256":"\#(digest.hexadecimal)"}"#.utf8)
    }
}
