import CommandSupport
import Database
import Foundation
import GraphServices
import MediaFiles
import ObjectStorage
import SocialGraph

/// Writes a backup of a data directory, beside a running server or without one.
package struct BackupJob: Sendable {
    /// Snapshots that are taken if files of the former one were deleted meanwhile.
    private static let snapshots = 5
    /// Bytes that a backup leaves free on the disk of the data directory, so that the server can go on.
    private static let reserve: Int64 = 64 << 20

    package let directory: DataDirectory
    package let destination: String
    /// True if files in media are copied even where hard links are possible.
    package var copiesMedia = false
    /// True if the content of linked files is read and compared with its digest.
    package var readsLinks = true
    /// True if the backup may lack files that are missing or damaged in the data directory.
    package var allowsMissingFiles = false
    /// The bucket that has the files; nil for the data directory.
    package var bucket: BucketAccess?
    /// Milliseconds since 1970.
    package var now: @Sendable () -> Int64 = SystemClock.milliseconds
    /// The folders of PostgreSQL's programs.
    var programs = PostgreSQLProgram.Folders.usual()
    /// Called after each snapshot of the database; tests delete files there.
    var afterSnapshot: @Sendable () throws -> Void = {}

    package init(of directory: DataDirectory, to destination: String) {
        self.directory = directory
        self.destination = destination
    }

    /// Writes the backup under a temporary name, checks it, and gives it its name. Blocks.
    ///
    /// - Throws: ``CommandFailure``, ``FileFault``. Then there is nothing at the destination.
    package func run() throws -> BackupSummary {
        do { return try make() } catch let error as DatabaseError { throw CommandFailure(error, during: "backup") }
    }

    private func make() throws -> BackupSummary {
        let place = try checkedPlace()
        let source = try source()
        try requireRoom(for: source, at: place)
        let bucket = try SavedBucket.open(bucket, source)
        let partial = try PartialDirectory.create(in: place.parent)
        do {
            let (manifest, instant, linked) = try write(into: partial.path, from: source, bucket)
            try partial.complete(as: place.path)
            return BackupSummary(
                manifest: manifest, destination: place.path, linked: linked, others: others(),
                note: note(manifest, instant, place.path))
        } catch {
            partial.remove()
            throw error
        }
    }

    /// Same as ``run()``, on a thread of its own.
    package func runOnThread() async throws -> BackupSummary { try await BlockingThread.run { try run() } }

    private func source() throws -> any BackupSource {
        if let server = directory.server { return try ServerSource(server, programs: programs) }
        return try FileSource(directory)
    }

    private func checkedPlace() throws -> NewPlace {
        let place = try NewPlace(destination)
        guard FileStatus(place.path, followsLinks: false) == nil else {
            throw CommandFailure("\(place.path) exists already. Name a new directory for each backup.")
        }
        if let own = FileStatus(directory.path), isInside(own, place.parent) {
            throw CommandFailure(
                "\(place.path) is in the data directory, and would be lost with it. Name a directory elsewhere, best "
                    + "on another disk.")
        }
        return place
    }

    /// Returns whether `path` is `directory` or lies in it.
    private func isInside(_ directory: FileStatus, _ path: String) -> Bool {
        var path = path
        while true {
            if let status = FileStatus(path), status.device == directory.device, status.inode == directory.inode {
                return true
            }
            if path == "/" || path.isEmpty { return false }
            path = URL(fileURLWithPath: path).deletingLastPathComponent().path
        }
    }

    private func requireRoom(for source: any BackupSource, at place: NewPlace) throws {
        let device = FileStatus(place.parent)?.device
        let isSameDisk = device == FileStatus(directory.path)?.device
        var needed = source.snapshotBytes
        if bucket != nil || copiesMedia || device != FileStatus(directory.media)?.device {
            needed += try source.read { try BackupQueries(reader: $0).storedFiles().bytes }
        }
        if isSameDisk { needed += Self.reserve }
        guard let free = DiskSpace.free(at: place.parent), free < needed else { return }
        throw CommandFailure(
            "The disk of \(place.parent) is too full: a backup needs \(needed) bytes and \(free) are free. Free space "
                + "on it, or name a directory on another disk.")
    }

    /// Writes everything into `path` and checks it.
    private func write(
        into path: String, from source: any BackupSource, _ bucket: MediaBucket?
    ) throws -> (BackupManifest, instant: Int64, linked: Int64) {
        var media = try BackupMedia(
            source: directory, target: path, copies: copiesMedia, readsLinks: readsLinks, bucket: bucket)
        // Before the snapshot, because a file may be deleted until the snapshot is complete.
        try takeAhead(&media, source)
        for _ in 0..<Self.snapshots {
            let instant = now()
            let snapshot = try source.takeSnapshot(in: path)
            try afterSnapshot()
            guard let missing = try takeNamed(&media, snapshot, source) else { continue }
            try media.removeUnnamed { id in
                try snapshot.read { try BackupQueries(reader: $0).storedFile(id) != nil }
            }
            try media.flush()
            if let damage = try snapshot.complete() {
                throw CommandFailure(
                    "The database of \(directory.path) is damaged, and so would be its backup: \(damage). See "
                        + "\"Damaged database\" in docs/operations/disk-and-clock.md.")
            }
            let draft = BackupDraft(path: path, instant: instant, missing: missing)
            let manifest = try draft.finish(snapshot, keys: try takeKeys(into: path))
            return (manifest, instant, media.linked)
        }
        throw CommandFailure(
            "Files were deleted during each of \(Self.snapshots) attempts. Try again when fewer accounts are deleted.")
    }

    /// Takes the files that the database names now. Files that are missing or damaged are left to the snapshot, which
    /// may not name them.
    private func takeAhead(_ media: inout BackupMedia, _ source: any BackupSource) throws {
        let total = try source.read { try BackupQueries(reader: $0).storedFiles().bytes }
        var bar = ProgressBar(label: "taking media", unit: .bytes, total: Int(total))
        defer { bar.finish() }
        var last = MediaID(rawValue: 0)
        // One short snapshot after another, since a long one would keep the write-ahead log growing.
        while true {
            let rows = try source.read { try BackupQueries(reader: $0).storedFiles(above: last) }
            for row in rows {
                do { try media.take(row) } catch is BackupMedia.Absence { continue }
                bar.update(done: Int(media.bytes))
            }
            guard let end = rows.last else { return }
            last = end.id
        }
    }

    /// Takes the files that the snapshot names and that were stored since. Returns the number of missing files; nil if
    /// one was deleted since the snapshot, which is of no use then.
    private func takeNamed(
        _ media: inout BackupMedia, _ snapshot: any BackupSnapshot, _ source: any BackupSource
    ) throws -> Int64? {
        var missing: Int64 = 0
        var isOutdated = false
        try snapshot.read { reader in
            try BackupQueries(reader: reader).forEachStoredFile { row in
                if isOutdated || media.has(row) { return }
                do { try media.take(row) } catch let absence as BackupMedia.Absence {
                    if try source.read({ try BackupQueries(reader: $0).storedFile(row.id) == nil }) {
                        isOutdated = true
                        return
                    }
                    guard allowsMissingFiles else { throw failure(absence, media.original(row)) }
                    missing += 1
                }
            }
        }
        return isOutdated ? nil : missing
    }

    private func failure(_ absence: BackupMedia.Absence, _ original: String) -> CommandFailure {
        let fault =
            switch absence {
            case .missing: "\(original) is missing."
            case .damaged(let damage): damage.description
            }
        return CommandFailure(
            "\(fault) Restore it from an earlier backup, or save the rest with --allow-missing-media.")
    }

    /// Copies the keys that sign tokens, as one state. A rotation replaces two files under the same lock.
    private func takeKeys(into path: String) throws -> [BackupEntry] {
        let folder = open(directory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw FileFault("opened", directory.path) }
        defer { close(folder) }
        while flock(folder, LOCK_SH) != 0 {
            guard errno == EINTR else { throw FileFault("locked", directory.path) }
        }
        return try BackupLayout.keys.compactMap { name in
            let original = directory.path + "/" + name
            guard FileStatus(original, followsLinks: false) != nil else { return nil }
            let digest = try FileTransfer.copy(original, to: path + "/" + name, limit: BackupLayout.keyBytes)
            return BackupEntry(path: name, digest: digest)
        }
    }

    /// The names in the data directory that no part of graphd has put there.
    private func others() -> [String] {
        ((try? FileTransfer.names(in: directory.path)) ?? []).filter { !BackupLayout.isKnown(inDataDirectory: $0) }
    }

    /// Stores the note of the last backup. Returns the reason if it cannot be stored; the backup is complete all the
    /// same.
    private func note(_ manifest: BackupManifest, _ instant: Int64, _ path: String) -> String? {
        let last = LastBackup(
            instant: instant, finished: now(), destination: path, files: manifest.files, bytes: manifest.bytes)
        do {
            try last.store(in: directory)
            return nil
        } catch {
            return "The backup is complete, but its note in the data directory cannot be written: \(error)"
        }
    }
}

/// The outcome of a backup.
package struct BackupSummary: Sendable {
    package let manifest: BackupManifest
    /// The absolute path of the backup.
    package let destination: String
    /// Files in media that are hard links.
    package let linked: Int64
    /// Files in the data directory that are not graphd's, and not in the backup.
    package let others: [String]
    /// A fault that does not concern the backup; nil: there is none.
    package let note: String?
}
