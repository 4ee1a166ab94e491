import CommandSupport
import Database
import Glibc

/// The file of a data directory.
struct FileSource: BackupSource {
    private let path: String
    private let file: DatabaseFile

    init(_ directory: DataDirectory) throws {
        path = directory.database
        file = try DatabaseFile(reading: path)
    }

    var snapshotBytes: Int64 { (FileStatus(path)?.bytes ?? 0) + (FileStatus(path + "-wal")?.bytes ?? 0) }

    func read<T>(_ body: (any SQLReader) throws -> T) throws -> T { try file.read(body) }

    func schemaChanges() throws -> [String] { try file.schemaChanges() }

    func takeSnapshot(in folder: String) throws -> any BackupSnapshot {
        let path = folder + "/" + BackupLayout.database
        unlink(path)
        var bar = ProgressBar(label: "copying the database", unit: .bytes, total: nil)
        defer { bar.finish() }
        try file.copy(to: path) { done, _ in bar.update(done: done) }
        try Flush.file(path)
        return FileSnapshot(file: try DatabaseFile(reading: path))
    }
}

/// A copy of the file.
private struct FileSnapshot: BackupSnapshot {
    let file: DatabaseFile

    var engine: SavedEngine { .sqlite }

    func read<T>(_ body: (any SQLReader) throws -> T) throws -> T { try file.read(body) }

    func schemaChanges() throws -> [String] { try file.schemaChanges() }

    func complete() throws -> String? { try file.damage(.pages) }
}
