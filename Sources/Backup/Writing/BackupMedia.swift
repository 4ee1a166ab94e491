import CommandSupport
import Database
import Foundation
import GraphServices
import MediaFiles
import ObjectStorage
import SocialGraph

/// The stored files of a backup under way.
///
/// A stored file never changes: the server writes it under another name, renames it before its row exists, and deletes
/// it after its row. A hard link therefore keeps the content, whatever happens to the original later.
struct BackupMedia {
    /// Found in place of a file that a row names.
    enum Absence: Error {
        case missing
        case damaged(DamagedFile)
    }

    let source: DataDirectory
    /// The root of the backup.
    let target: String
    /// True if files are copied even where hard links are possible.
    let copies: Bool
    /// True if the content of linked files is compared with the digest in their rows.
    let readsLinks: Bool
    /// The bucket that has the files; nil for the data directory.
    let bucket: MediaBucket?
    private var folders: Set<String> = []
    /// Files that were linked, not copied.
    private(set) var linked: Int64 = 0
    /// Bytes of the files taken, for the display of progress.
    private(set) var bytes: Int64 = 0

    init(
        source: DataDirectory, target: String, copies: Bool, readsLinks: Bool, bucket: MediaBucket? = nil
    ) throws {
        self.source = source
        self.target = target
        self.copies = copies
        self.readsLinks = readsLinks
        self.bucket = bucket
        try FileTransfer.makeDirectory(target + "/" + BackupLayout.media)
    }

    func has(_ file: StoredFileRow) -> Bool { access(target + "/" + file.path, F_OK) == 0 }

    /// Puts a file into the backup, if it is what its row says.
    ///
    /// - Throws: ``Absence``; ``FileFault`` for failures of the disk.
    mutating func take(_ file: StoredFileRow) throws {
        guard BackupLayout.mediaID(named: file.fileName) == file.id else {
            throw Absence.damaged(DamagedFile(path: file.fileName, difference: "its row has a name that no file has"))
        }
        try makeFolder(of: file)
        if let bucket {
            try fetch(file, from: bucket)
            bytes += file.digest.bytes
            return
        }
        let (original, copy) = (source.path + "/" + file.path, target + "/" + file.path)
        do {
            if try !copies && FileTransfer.link(original, to: copy) {
                try checkLink(copy, file.digest)
                linked += 1
            } else {
                let digest = try FileTransfer.copy(original, to: copy, bytes: file.digest.bytes)
                try file.digest.require(digest, of: original)
            }
            bytes += file.digest.bytes
        } catch let fault as FileFault where fault.isMissingFile && fault.path == original {
            throw Absence.missing
        } catch let damage as DamagedFile {
            unlink(copy)
            throw Absence.damaged(DamagedFile(path: original, difference: damage.difference))
        }
    }

    private func fetch(_ file: StoredFileRow, from bucket: MediaBucket) throws {
        let description = FileDescription(
            id: file.id, fileName: file.fileName, contentType: "", bytes: file.digest.bytes, sha256: file.digest.sha256)
        let copy = target + "/" + file.path
        do {
            try Waiting.run { try await FetchedFile.fetch(description, from: bucket, to: copy) }
        } catch StoredFileFault.missing {
            throw Absence.missing
        } catch is StoredFileFault {
            throw Absence.damaged(DamagedFile(path: original(file), difference: "it has another length"))
        } catch let damage as DamagedFile {
            throw Absence.damaged(damage)
        } catch let failure as any StorageFailure {
            throw CommandFailure("\(original(file)) cannot be read: \(failure).")
        }
    }

    /// The place of a file that is to be saved, for messages.
    func original(_ file: StoredFileRow) -> String {
        guard let bucket else { return source.path + "/" + file.path }
        return "s3://\(bucket.store.address.bucket)/" + bucket.place(of: file.id, named: file.fileName)
    }

    private func checkLink(_ path: String, _ recorded: FileDigest) throws {
        let file = try RegularFile(path)
        let found = try readsLinks ? file.read() : FileDigest(bytes: file.bytes, sha256: recorded.sha256)
        try recorded.require(found, of: path)
    }

    private mutating func makeFolder(of file: StoredFileRow) throws {
        let folder = target + "/" + BackupLayout.media + "/" + MediaDirectory.folder(of: file.id)
        guard folders.insert(folder).inserted else { return }
        try FileTransfer.makeDirectory(folder)
    }

    /// Removes the files that `isNamed` does not know: those that were deleted before the snapshot.
    func removeUnnamed(_ isNamed: (MediaID) throws -> Bool) throws {
        for folder in folders {
            for name in try FileTransfer.names(in: folder) {
                if let id = BackupLayout.mediaID(named: name), try isNamed(id) { continue }
                guard unlink(folder + "/" + name) == 0 else { throw FileFault("removed", folder + "/" + name) }
            }
        }
    }

    /// Returns after the names of all files are on disk. Their contents are: copies were flushed, and linked files by
    /// the server that stored them.
    func flush() throws {
        for folder in folders { try Flush.directory(folder) }
        try Flush.directory(target + "/" + BackupLayout.media)
    }
}
