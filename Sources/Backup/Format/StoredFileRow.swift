import Database
import SocialGraph

/// A stored file as its row in the database records it.
struct StoredFileRow: Sendable, Equatable {
    let id: MediaID
    let fileName: String
    let digest: FileDigest

    /// The path from the root of the data directory or of a backup.
    var path: String { BackupLayout.path(of: id, named: fileName) }
}

/// Queries for backups and their checks, on one snapshot. Only tables and columns of release 0.1.0 are read, so that
/// the database of any version can be saved.
struct BackupQueries {
    private static let rowsAtOnce = 1_000

    let reader: any SQLReader

    /// Calls `body` for each stored file, in the order of their ids.
    func forEachStoredFile(_ body: (StoredFileRow) throws -> Void) throws {
        var last = MediaID(rawValue: 0)
        while true {
            let rows = try storedFiles(above: last)
            for row in rows { try body(row) }
            guard let end = rows.last else { return }
            last = end.id
        }
    }

    /// The next stored files in the order of their ids; none: there are no more.
    func storedFiles(above last: MediaID) throws -> [StoredFileRow] {
        try reader.rows(
            "SELECT id, file_name, bytes, sha256 FROM media WHERE id > ?1 ORDER BY id LIMIT ?2",
            [.integer(last.rawValue), .integer(Int64(Self.rowsAtOnce))], Self.decode)
    }

    /// The row of a stored file; nil if it has none.
    func storedFile(_ id: MediaID) throws -> StoredFileRow? {
        try reader.first(
            "SELECT id, file_name, bytes, sha256 FROM media WHERE id = ?1", [.integer(id.rawValue)], Self.decode)
    }

    /// The rows of those among `ids` that are stored.
    func storedFiles(_ ids: [MediaID]) throws -> [MediaID: StoredFileRow] {
        let rows = try reader.rows(of: Self.filesQuery.queries(ids.map { .integer($0.rawValue) }), Self.decode)
        return Dictionary(rows.joined().map { ($0.id, $0) }) { $1 }
    }

    private static let filesQuery = ListQuery { "SELECT id, file_name, bytes, sha256 FROM media WHERE id IN (\($0))" }

    /// The number of stored files, and their bytes.
    func storedFiles() throws -> (count: Int64, bytes: Int64) {
        try reader.first("SELECT COUNT(*), COALESCE(SUM(bytes), 0) FROM media", []) {
            ($0.integer(0), $0.integer(1))
        } ?? (0, 0)
    }

    /// The number of accounts that have a home timeline.
    func timelines() throws -> Int64 {
        try reader.first("SELECT COUNT(*) FROM account WHERE deleted_at IS NULL", []) { $0.integer(0) } ?? 0
    }

    /// The place of the last change in the change log, and the last id that was assigned.
    func lastPlaces() throws -> (change: Int64, id: Int64) {
        let change = try reader.first("SELECT MAX(seq) FROM change", []) { $0.optionalInteger(0) } ?? nil
        return (change ?? 0, try reader.first("SELECT last FROM id_sequence", []) { $0.integer(0) } ?? 0)
    }

    private static func decode(_ row: any SQLRow) -> StoredFileRow {
        StoredFileRow(
            id: MediaID(rawValue: row.integer(0)), fileName: row.text(1),
            digest: FileDigest(bytes: row.integer(2), sha256: row.blob(3)))
    }
}
