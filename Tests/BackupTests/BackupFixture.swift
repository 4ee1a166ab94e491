import Database
import Dispatch
import Foundation
import GraphServices
import MediaJobs
import Sessions
import SocialGraph
import TestSupport
import Testing

@testable import Backup
@testable import CommandSupport

/// A data directory with accounts, posts, files and keys, and a place for backups beside it.
struct BackupFixture {
    let root: String
    let directory: DataDirectory
    let content: any GraphScene
    let author: UserID

    var backup: String { root + "/backup" }
    var restored: String { root + "/restored" }
    var graph: GraphStore { content.graph }

    static func with(_ body: (BackupFixture) async throws -> Void) async throws {
        try await withTemporaryDirectory("backup") { root in
            let directory = try DataDirectory.create(at: root + "/data")
            let content = try SQLiteFixture(path: directory.database)
            try await body(BackupFixture(root: root, directory: directory, content: content))
        }
    }

    init(root: String, directory: DataDirectory, content: any GraphScene) async throws {
        self.root = root
        self.directory = directory
        self.content = content
        author = try await content.user("author")
        for number in 0..<3 {
            let reader = try await content.user("reader\(number)")
            try await content.graph.follows.follow(reader, author)
        }
        for number in 0..<5 { try await content.post(author, "post \(number)") }
        _ = try TokenKeyRing.rotate(inDirectory: directory.path, now: 1_000)
        for number in 0..<3 { _ = try await store(Array("the content of file \(number)".utf8)) }
    }

    /// Stores a file as the server does: the file first, then its row.
    func store(_ bytes: [UInt8]) async throws -> StoredFileRow {
        let id = try await graph.media.reserveMediaIDs(1)[0]
        let row = StoredFileRow(id: id, fileName: "\(id.rawValue).mp4", digest: FileDigest(of: bytes))
        let path = directory.path + "/" + row.path
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let new = NewMedia(
            id: id, contentType: "video/mp4", fileName: row.fileName, bytes: row.digest.bytes,
            sha256: row.digest.sha256)
        _ = try await graph.media.storeMedia([new], by: author)
        return row
    }

    /// Deletes a file as the server does: its row first.
    func delete(_ file: StoredFileRow) async throws {
        #expect(try await graph.media.deleteMedia(file.id))
        try FileManager.default.removeItem(atPath: directory.path + "/" + file.path)
    }

    func job() -> BackupJob { BackupJob(of: directory, to: backup) }

    @discardableResult
    func makeBackup() async throws -> BackupSummary { try await job().runOnThread() }

    /// The names below the place of backups, without the data directory.
    func leftovers() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root).filter { $0 != "data" }.sorted()
    }

    /// Expects that a restore is refused, with these words if any, and leaves nothing.
    func expectRefusal(
        _ words: String? = nil, by job: RestoreJob? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let before = try leftovers()
        do {
            _ = try await (job ?? RestoreJob(from: backup, to: restored)).run()
            Issue.record("restored", sourceLocation: sourceLocation)
        } catch {
            let text = "\(error)"
            #expect(text.contains(words ?? text), "\(text)", sourceLocation: sourceLocation)
        }
        #expect(try leftovers() == before, sourceLocation: sourceLocation)
    }

    func content(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: name))) }

    /// Replaces a file of the backup, which may be a hard link to one of the data directory.
    func overwrite(_ name: String, _ bytes: [UInt8]) throws {
        let path = backup + "/" + name
        try? FileManager.default.removeItem(atPath: path)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    /// Replaces the list of files by another that the manifest confirms.
    ///
    /// - Parameter bytes: by default the length of the files in the list.
    func forge(_ list: [String], files: Int64 = 6, bytes: Int64? = nil, engine: SavedEngine? = nil) throws {
        let lengths = list.map { (try? BackupEntry(line: Array($0.utf8)))?.digest.bytes ?? 1 }
        let old = try BackupManifest(encoded: content(backup + "/manifest.json"))
        let text = Array(list.map { $0 + "\n" }.joined().utf8)
        try overwrite("files.jsonl", text)
        try seal(
            BackupManifest(
                version: old.version, commit: old.commit, schema: old.schema, instant: old.instant,
                lastChange: old.lastChange, lastID: old.lastID, files: files, bytes: bytes ?? lengths.reduce(0, &+),
                media: old.media, missing: old.missing, timelines: old.timelines, list: FileDigest(of: text),
                engine: engine ?? old.engine
            ).encoded)
    }

    /// Replaces the manifest, and its digest with it.
    func seal(_ manifest: [UInt8]) throws {
        try overwrite("manifest.json", manifest)
        try overwrite("manifest.sha256", BackupManifest.digestFile(of: manifest))
    }

    var list: [String] {
        get throws {
            let text = String(decoding: try content(backup + "/files.jsonl"), as: UTF8.self)
            return text.split(separator: "\n").map(String.init)
        }
    }
}

/// Runs asynchronous work on a thread that may wait for it.
func waiting(_ body: @escaping @Sendable () async throws -> Void) {
    let end = DispatchSemaphore(value: 0)
    // Owner: the caller, which waits for it.
    Task {
        do { try await body() } catch { Issue.record(error) }
        end.signal()
    }
    end.wait()
}
