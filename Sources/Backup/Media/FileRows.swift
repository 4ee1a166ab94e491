import Database
import MediaFiles
import SocialGraph

/// Queries for stored files as their rows describe them, on one snapshot.
package struct FileRows {
    private static let columns = "id, file_name, content_type, bytes, sha256"

    private let reader: any SQLReader

    package init(_ reader: any SQLReader) { self.reader = reader }

    /// The next files in the order of their ids; none: there are no more.
    package func files(above last: MediaID, limit: Int) throws -> [FileDescription] {
        try reader.rows(
            "SELECT \(Self.columns) FROM media WHERE id > ?1 ORDER BY id LIMIT ?2",
            [.integer(last.rawValue), .integer(Int64(limit))], Self.decode)
    }

    /// The newest files.
    package func newest(_ limit: Int) throws -> [FileDescription] {
        try reader.rows(
            "SELECT \(Self.columns) FROM media ORDER BY id DESC LIMIT ?1", [.integer(Int64(limit))], Self.decode)
    }

    /// The number of files, and of their bytes.
    package func total() throws -> (files: Int64, bytes: Int64) {
        try reader.first("SELECT COUNT(*), COALESCE(SUM(bytes), 0) FROM media", []) {
            ($0.integer(0), $0.integer(1))
        } ?? (0, 0)
    }

    private static func decode(_ row: any SQLRow) -> FileDescription {
        FileDescription(
            id: MediaID(rawValue: row.integer(0)), fileName: row.text(1), contentType: row.text(2),
            bytes: row.integer(3), sha256: row.blob(4))
    }
}
