import CommandSupport
import Database

/// The place that receives the database of a backup. Calls block.
protocol DatabasePlace: Sendable {
    /// Restores the database from its file in a backup, whose digest is compared first. Returns it for reading.
    ///
    /// - Throws: ``CommandFailure``, ``FileFault``, ``DamagedFile``, `DatabaseError`.
    func restore(_ entry: BackupEntry, of archive: BackupArchive) throws -> any ReadableDatabase

    /// Opens the restored database, which brings its tables up to date.
    func open() throws -> any OpenedDatabase

    /// Returns after the closed database is on disk.
    func flush() throws

    /// Lets the database be served. The data directory has its name by now.
    func release() throws

    /// Leaves nothing of the database, after a failure.
    func undo() throws
}

/// The file of a data directory under a temporary name, which is removed with it.
struct FilePlace: DatabasePlace {
    let directory: DataDirectory

    func restore(_ entry: BackupEntry, of archive: BackupArchive) throws -> any ReadableDatabase {
        try archive.copy(entry, to: directory.path)
        let file = try DatabaseFile(reading: directory.database)
        if let damage = try file.damage(.everything) {
            throw CommandFailure("The database in the backup is damaged: \(TerminalText.safe(damage)).")
        }
        return file
    }

    func open() throws -> any OpenedDatabase { try directory.openDatabase() }

    func flush() throws { try Flush.file(directory.database) }

    func release() {}

    func undo() {}
}
