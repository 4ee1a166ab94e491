import CommandSupport
import GraphServices
import MediaFiles
import Sessions
import SocialGraph

/// The names of the files in a backup.
package enum BackupLayout {
    /// The latest version of the form of a backup. A reader refuses higher ones.
    package static let format: Int64 = 2

    /// The description of the backup.
    package static let manifest = "manifest.json"
    /// The digest of the manifest, in the form that `sha256sum -c` reads.
    package static let manifestDigest = "manifest.sha256"
    /// One line for each file of the data directory, with its length and digest.
    package static let list = "files.jsonl"
    package static let database = "graph.db"
    /// A PostgreSQL database, as `pg_dump` writes one in its format "custom".
    package static let dump = "graph.dump"
    package static let media = "media"
    /// The files with the keys that sign tokens.
    static let keys = [TokenKey.fileName, TokenKeyRing.fileName]
    /// Largest number of bytes of a file with keys.
    static let keyBytes: Int64 = 65_536

    /// Returns whether graphd has put a file of this name into a data directory. Of these files, the locks, the
    /// ballast, the node's number and the traces of Redis are of no use elsewhere, and the write-ahead log is part of
    /// the copied database.
    static func isKnown(inDataDirectory name: String) -> Bool {
        let whole = [
            media, "serve.lock", "ballast", "redis.sock", "redis.pid", "redis.log", LastBackup.fileName,
            NodeFile.name,
        ]
        let beginnings = [database, TokenKey.fileName]
        if name.hasPrefix("redis-"), Int(name.dropFirst("redis-".count)) != nil { return true }
        return whole.contains(name) || beginnings.contains { name.hasPrefix($0) }
    }

    /// Returns the path of a stored file, from the root of the backup or of the data directory.
    static func path(of id: MediaID, named fileName: String) -> String {
        media + "/" + MediaDirectory.folder(of: id) + "/" + fileName
    }

    /// The kinds of files that a list may name. Anything else could lie outside the directory.
    package enum Kind: Sendable, Equatable {
        case database
        case dump
        case key
        case media(MediaID)
    }

    /// Returns the kind of a path; nil if no file of a backup can have it.
    package static func kind(of path: String) -> Kind? {
        if path == database { return .database }
        if path == dump { return .dump }
        if keys.contains(path) { return .key }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, let id = mediaID(named: String(parts[2])),
            path == self.path(of: id, named: String(parts[2]))
        else { return nil }
        return .media(id)
    }

    /// Returns the id in the name of a stored file, which is its digits with an extension of a few letters and digits;
    /// nil for anything else.
    static func mediaID(named fileName: String) -> MediaID? {
        let parts = fileName.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2 else { return nil }
        if parts.count == 2 {
            guard (1...8).contains(parts[1].utf8.count), parts[1].utf8.allSatisfy(isLetterOrDigit) else { return nil }
        }
        return MediaFileName.id(in: fileName)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
