import CommandSupport
import Database
import Glibc
import GraphServices
import MediaFiles
import SocialGraph

/// The copy of a backup's files under way, in the order of their list: the database, the keys, and the files in media
/// by rising ids. That order shows a file that is listed twice.
struct ArchiveCopy {
    /// Files in media that are compared with their rows at once.
    private static let filesAtOnce = 256

    let archive: BackupArchive
    /// The directory that receives the files.
    let target: String
    /// The place that receives the database.
    let place: any DatabasePlace
    let keepsKeys: Bool
    private(set) var bytes: Int64 = 0
    private var files: Int64 = 0
    private var media: Int64 = 0
    private var keys: Set<String> = []
    private var lastMedia = MediaID(rawValue: 0)
    private var database: (any ReadableDatabase)?
    private var unchecked: [BackupEntry] = []
    private var folders: Set<String> = []

    init(archive: BackupArchive, target: String, place: any DatabasePlace, keepsKeys: Bool) {
        self.archive = archive
        self.target = target
        self.place = place
        self.keepsKeys = keepsKeys
    }

    /// Copies and checks one file.
    ///
    /// - Throws: ``CommandFailure``, ``FileFault``, ``DamagedFile``.
    mutating func take(_ entry: BackupEntry) throws {
        try count(entry)
        switch entry.kind {
        case .database, .dump:
            guard files == 1, entry.path == archive.manifest.engine.fileName else { throw disorder(entry) }
            database = try checkedDatabase(entry)
        case .key:
            guard database != nil, media == 0, keys.insert(entry.path).inserted else { throw disorder(entry) }
            if keepsKeys {
                try archive.copy(entry, to: target)
            } else {
                try archive.check(entry)
            }
        case .media(let id):
            guard database != nil, id > lastMedia else { throw disorder(entry) }
            lastMedia = id
            media += 1
            try makeFolder(of: id)
            try archive.copy(entry, to: target)
            unchecked.append(entry)
            if unchecked.count == Self.filesAtOnce { try checkRows() }
        }
    }

    /// Checks that all files of the manifest were listed, and that the database names no others.
    mutating func finish() throws {
        try checkRows()
        let manifest = archive.manifest
        guard files == manifest.files, bytes == manifest.bytes, media == manifest.media, let database else {
            throw CommandFailure(
                "The list of files has \(files) files of \(bytes) bytes, and the manifest says \(manifest.files) of "
                    + "\(manifest.bytes).")
        }
        let rows = try database.read { try BackupQueries(reader: $0).storedFiles().count }
        guard rows == media + manifest.missing else {
            throw CommandFailure(
                "The database names \(rows) files in media, and the backup has \(media) of them, with "
                    + "\(manifest.missing) known to be missing.")
        }
    }

    /// Returns after the names of all files are on disk.
    func flush() throws {
        for folder in folders { try Flush.directory(target + "/" + folder) }
        try Flush.directory(target)
    }

    /// Counts a file against the manifest before anything is read, so that a list cannot fill the disk.
    private mutating func count(_ entry: BackupEntry) throws {
        files += 1
        let (sum, overflows) = bytes.addingReportingOverflow(entry.digest.bytes)
        guard files <= archive.manifest.files, !overflows, sum <= archive.manifest.bytes else {
            throw CommandFailure(
                "The list names more than the \(archive.manifest.files) files of \(archive.manifest.bytes) bytes that "
                    + "the manifest counts.")
        }
        bytes = sum
    }

    private mutating func makeFolder(of id: MediaID) throws {
        for folder in [BackupLayout.media, BackupLayout.media + "/" + MediaDirectory.folder(of: id)] {
            guard folders.insert(folder).inserted else { continue }
            // A link could lead out of the backup.
            let status = FileStatus(archive.path + "/" + folder, followsLinks: false)
            guard let status, status.mode & S_IFMT == S_IFDIR else {
                throw DamagedFile(path: archive.path + "/" + folder, difference: "it is not a directory")
            }
            try FileTransfer.makeDirectory(target + "/" + folder)
        }
    }

    private func checkedDatabase(_ entry: BackupEntry) throws -> any ReadableDatabase {
        let database = try place.restore(entry, of: archive)
        let changes = try database.schemaChanges()
        guard changes.last == archive.manifest.schema else {
            throw CommandFailure(
                "The database has the tables \"\(TerminalText.safe(changes.last ?? "none"))\", and the manifest says "
                    + "\"\(archive.manifest.schema)\".")
        }
        return database
    }

    private mutating func checkRows() throws {
        guard let database else { return }
        let files = try database.read { reader in
            try BackupQueries(reader: reader).storedFiles(unchecked.map(\.kind).compactMap(\.media))
        }
        for entry in unchecked {
            guard let id = entry.kind.media, let row = files[id], row.path == entry.path, row.digest == entry.digest
            else {
                throw CommandFailure(
                    "The backup has \(entry.path), which its database does not name, or names with another content.")
            }
        }
        unchecked.removeAll(keepingCapacity: true)
    }

    private func disorder(_ entry: BackupEntry) -> CommandFailure {
        CommandFailure("The list names \(entry.path) twice, or not in its place.")
    }
}

extension BackupLayout.Kind {
    fileprivate var media: MediaID? {
        guard case .media(let id) = self else { return nil }
        return id
    }
}
