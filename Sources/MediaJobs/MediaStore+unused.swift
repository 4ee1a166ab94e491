import Database
import SocialGraph

/// Files that nothing shows: uploads that were never posted, and files of deleted posts and replaced profile pictures.
extension MediaStore {
    /// Examines `limit` files above `cursor`, in the order of their ids, and returns those that no post other than a
    /// deleted one shows and that are not a profile picture. Only files stored before `time` (milliseconds since 1970)
    /// count, also by the time of their ids, which never goes back. `next`: nil once all have been examined.
    package func unusedMedia(
        above cursor: MediaID?, storedBefore time: Int64, limit: Int
    ) async throws -> (unused: [Media], next: MediaID?) {
        let arguments: [SQLValue] = [
            .integer(cursor?.rawValue ?? 0), .integer(time), .integer(Int64(limit)),
            .integer(IDSequence.first(at: time)),
        ]
        let files = try await database.read { reader in
            try reader.rows(Self.mediaUseQuery, arguments) { (media: Media(row: $0), isUsed: $0.integer(7) != 0) }
        }
        return (files.filter { !$0.isUsed }.map(\.media), files.count < limit ? nil : files.last?.media.id)
    }

    static let mediaUseQuery = """
        SELECT \(mediaColumns), CASE WHEN
            EXISTS (SELECT 1 FROM post p WHERE p.media_id = m.id AND p.deleted_at IS NULL)
            OR EXISTS (SELECT 1 FROM post p WHERE p.thumbnail_id = m.id AND p.deleted_at IS NULL)
            OR EXISTS (SELECT 1 FROM account a WHERE a.picture_id = m.id) THEN 1 ELSE 0 END
        FROM media m WHERE m.id > ?1 AND m.id < ?4 AND m.created_at < ?2 ORDER BY m.id LIMIT ?3
        """

    /// Deletes the row of a file that nothing shows, so that its file can be removed. False: it is used by now, or has
    /// no row.
    package func deleteMedia(_ id: MediaID) async throws -> Bool {
        try await database.write { transaction in
            let uses = try transaction.exist(Self.mediaUseProbes.map { SQLQuery($0, [.media(id)]) })
            if uses.contains(true) { return false }
            // Deleted posts keep their rows, whose references must exist.
            try transaction.execute("UPDATE post SET media_id = NULL WHERE media_id = ?1", [.media(id)])
            try transaction.execute("UPDATE post SET thumbnail_id = NULL WHERE thumbnail_id = ?1", [.media(id)])
            return try Writer(transaction).removeMediaRow(id)
        }
    }

    static let mediaUseProbes = [
        "SELECT 1 FROM post WHERE media_id = ?1 AND deleted_at IS NULL",
        "SELECT 1 FROM post WHERE thumbnail_id = ?1 AND deleted_at IS NULL",
        "SELECT 1 FROM account WHERE picture_id = ?1",
    ]
}
