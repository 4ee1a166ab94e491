import Database

/// A database that can be read, on one consistent snapshot for each call. Calls block.
protocol ReadableDatabase {
    func read<T>(_ body: (any SQLReader) throws -> T) throws -> T
    /// The names of the changes of the tables that the database has, the oldest first.
    func schemaChanges() throws -> [String]
}

extension DatabaseFile: ReadableDatabase {}

/// The database of a data directory that is to be saved, while a server may change it.
protocol BackupSource: ReadableDatabase {
    /// Bytes that a snapshot takes at least.
    var snapshotBytes: Int64 { get }

    /// Takes one consistent snapshot, whose file will be in `folder`. Stored files that it names may be deleted from
    /// now on, so they come first, and what takes long is left to ``BackupSnapshot/complete()``.
    ///
    /// - Throws: `DatabaseError`, ``CommandFailure``, ``FileFault``.
    func takeSnapshot(in folder: String) throws -> any BackupSnapshot
}

/// A snapshot that is to be saved.
protocol BackupSnapshot: ReadableDatabase {
    var engine: SavedEngine { get }

    /// Completes and checks the file. Returns the first problem of the database; nil: there is none.
    func complete() throws -> String?
}
