import CommandSupport
import Database
import GraphServices
import SocialGraph

/// A backup that is to be restored. Nothing in it is trusted before it has been compared with the manifest, and the
/// manifest names no file outside the backup.
struct BackupArchive: Sendable {
    private static let digestFileLimit = 256

    let path: String
    let manifest: BackupManifest

    /// Reads and checks the manifest, and the digest of the list of files.
    ///
    /// - Throws: ``CommandFailure``, ``FileFault``, ``DamagedFile``.
    init(_ path: String) throws {
        self.path = path
        guard FileStatus(path + "/" + BackupLayout.manifest, followsLinks: false) != nil else {
            throw CommandFailure(
                "\(path) is not a backup of graphd: it has no \(BackupLayout.manifest). Name a directory that 'graphd "
                    + "backup' has written.")
        }
        let encoded = try RegularFile.content(path + "/" + BackupLayout.manifest, limit: BackupManifest.limit)
        let digest = try RegularFile.content(path + "/" + BackupLayout.manifestDigest, limit: Self.digestFileLimit)
        guard digest == BackupManifest.digestFile(of: encoded) else {
            throw DamagedFile(
                path: path + "/" + BackupLayout.manifest,
                difference: "its SHA-256 is not the one in \(BackupLayout.manifestDigest)")
        }
        manifest = try BackupManifest(encoded: encoded)
        try manifest.requireKnownSchema()
        let list = path + "/" + BackupLayout.list
        try manifest.list.require(RegularFile(list).read(), of: list)
    }

    /// Copies all listed files into the directory `target` and compares each with its digest, and the files in media
    /// with their rows in the database.
    ///
    /// - Parameters:
    ///   - place: receives the database.
    ///   - keepsKeys: false leaves out the keys that sign tokens.
    func copyFiles(into target: String, _ place: any DatabasePlace, keepsKeys: Bool) throws {
        var bar = ProgressBar(label: "restoring", unit: .bytes, total: Int(manifest.bytes))
        defer { bar.finish() }
        var copy = ArchiveCopy(archive: self, target: target, place: place, keepsKeys: keepsKeys)
        let listPath = path + "/" + BackupLayout.list
        let digest = try ListReader(listPath).forEach { entry in
            try copy.take(entry)
            bar.update(done: Int(copy.bytes))
        }
        try manifest.list.require(digest, of: listPath)
        try copy.finish()
        try refuseUnlisted(copiedTo: target)
        try copy.flush()
    }

    /// Copies a listed file into the directory `target`.
    ///
    /// - Throws: ``FileFault``, ``DamagedFile``.
    func copy(_ entry: BackupEntry, to target: String) throws {
        let source = path + "/" + entry.path
        let found = try FileTransfer.copy(source, to: target + "/" + entry.path, bytes: entry.digest.bytes)
        try entry.digest.require(found, of: source)
    }

    /// Compares a listed file with its digest.
    func check(_ entry: BackupEntry) throws {
        let source = path + "/" + entry.path
        try entry.digest.require(try RegularFile(source).read(), of: source)
    }

    /// - Throws: ``CommandFailure`` if the backup has a file that is not listed, hence was not copied.
    private func refuseUnlisted(copiedTo target: String) throws {
        let own =
            [BackupLayout.manifest, BackupLayout.manifestDigest, BackupLayout.list, manifest.engine.fileName]
            + BackupLayout.keys
        for name in try FileTransfer.names(in: path) where !own.contains(name) && name != BackupLayout.media {
            try requireCopy(name, in: target)
        }
        guard FileStatus(path + "/" + BackupLayout.media, followsLinks: false) != nil else { return }
        for folder in try FileTransfer.names(in: path + "/" + BackupLayout.media) {
            let folder = BackupLayout.media + "/" + folder
            for name in try FileTransfer.names(in: path + "/" + folder) {
                try requireCopy(folder + "/" + name, in: target)
            }
        }
    }

    private func requireCopy(_ name: String, in target: String) throws {
        guard FileStatus(target + "/" + name, followsLinks: false) == nil else { return }
        throw CommandFailure(
            "The backup holds \"\(TerminalText.safe(name))\", which its list does not name. If it is yours, move it "
                + "elsewhere; otherwise do not use this backup.")
    }
}
