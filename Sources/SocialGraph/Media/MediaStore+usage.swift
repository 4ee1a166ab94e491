import Database

/// The sum of each user's files, kept in the transactions that store and remove them.
extension MediaStore {
    package func mediaUsage(of user: UserID) async throws -> MediaUsage {
        try await database.read { try Reader($0).mediaUsage(of: user) }
    }
}

extension MediaStore.Reader {
    fileprivate func mediaUsage(of user: UserID) throws -> MediaUsage {
        try reader.first(Self.mediaUsageQuery, [.user(user)]) { MediaUsage(bytes: $0.integer(0), files: $0.integer(1)) }
            ?? MediaUsage()
    }

    static let mediaUsageQuery = "SELECT bytes, files FROM media_usage WHERE user_id = ?1"
}

extension MediaStore.Writer {
    /// Throws ``GraphError/uploadQuotaExceeded(_:)`` if the files exceed `quota`.
    func charge(_ usage: MediaUsage, to user: UserID, within quota: MediaQuota?) throws {
        if let quota, try !(stored.mediaUsage(of: user) + usage).fits(quota) {
            throw GraphError.uploadQuotaExceeded(quota)
        }
        try transaction.execute(
            """
            INSERT INTO media_usage (user_id, bytes, files) VALUES (?1, ?2, ?3)
            ON CONFLICT (user_id) DO UPDATE SET bytes = media_usage.bytes + excluded.bytes,
                files = media_usage.files + excluded.files
            """, [.user(user), .integer(usage.bytes), .integer(usage.files)])
    }

    /// Deletes the row of a file and subtracts it from its owner's usage. False: there is no such row.
    package func removeMediaRow(_ id: MediaID) throws -> Bool { try removeMediaRows([id]) > 0 }

    /// Deletes the rows of files, which must differ; returns their number.
    @discardableResult func removeMediaRows(_ ids: [MediaID]) throws -> Int {
        try transaction.graphHooks?.media.forget(ids, transaction)
        let rows = try transaction.first(
            of: ids.map { SQLQuery("SELECT owner_id, bytes FROM media WHERE id = ?1", [.media($0)]) }
        ) { (owner: $0.integer(0), bytes: $0.integer(1)) }
        var removed = 0
        for case (let id, let row?) in zip(ids, rows) {
            try transaction.execute("DELETE FROM media WHERE id = ?1", [.media(id)])
            try transaction.execute(
                "UPDATE media_usage SET bytes = bytes - ?2, files = files - 1 WHERE user_id = ?1",
                [.integer(row.owner), .integer(row.bytes)])
            removed += 1
        }
        return removed
    }
}
