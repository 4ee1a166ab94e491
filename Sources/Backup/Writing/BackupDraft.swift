import CommandSupport
import Database
import GraphServices

/// A backup whose files are complete and whose list and manifest are still to be written.
struct BackupDraft {
    /// The root of the backup.
    let path: String
    /// Everything acknowledged before this time is in the snapshot; milliseconds since 1970.
    let instant: Int64
    /// Files that the snapshot names and that the backup lacks.
    let missing: Int64

    /// Writes the list and the manifest.
    ///
    /// - Parameter keys: the files with keys.
    func finish(_ snapshot: any BackupSnapshot, keys: [BackupEntry]) throws -> BackupManifest {
        guard let schema = try snapshot.schemaChanges().last else {
            throw CommandFailure("The database was not written by graphd: it has no record of its tables.")
        }
        let list = try ListWriter(path + "/" + BackupLayout.list)
        let name = snapshot.engine.fileName
        let database = try RegularFile(path + "/" + name).read()
        if let entry = BackupEntry(path: name, digest: database) { try list.append(entry) }
        for key in keys { try list.append(key) }
        let others = list.files
        let (places, timelines) = try snapshot.read { reader in
            let queries = BackupQueries(reader: reader)
            try queries.forEachStoredFile { row in
                guard let entry = BackupEntry(path: row.path, digest: row.digest) else { return }
                // A file that is missing was reported, and is allowed to be.
                guard FileStatus(path + "/" + row.path, followsLinks: false) != nil else { return }
                try list.append(entry)
            }
            return (try queries.lastPlaces(), try queries.timelines())
        }
        let manifest = BackupManifest(
            version: BuildInfo.version, commit: BuildInfo.commit, schema: schema,
            instant: .timestamp(milliseconds: instant), lastChange: places.change, lastID: places.id,
            files: list.files, bytes: list.bytes, media: list.files - others, missing: missing, timelines: timelines,
            list: try list.finish(), engine: snapshot.engine)
        let encoded = manifest.encoded
        try NewFile.write(encoded, to: path + "/" + BackupLayout.manifest)
        try NewFile.write(BackupManifest.digestFile(of: encoded), to: path + "/" + BackupLayout.manifestDigest)
        return manifest
    }
}
