import Database

/// The files that users have stored, one row each. A file is on disk before its row is written, and its row is deleted
/// before the file: a row implies a file.
package struct MediaStore: Sendable {
    package let database: any GraphDatabase

    /// Queries on one snapshot.
    package struct Reader {
        let reader: any SQLReader
        package init(_ reader: any SQLReader) { self.reader = reader }
    }

    /// Writes in one transaction.
    package struct Writer {
        package let transaction: any GraphTransaction
        package init(_ transaction: any GraphTransaction) { self.transaction = transaction }
        /// Queries that see the writes of the transaction.
        var stored: Reader { Reader(transaction) }
    }
}

extension MediaStore {
    package static let mediaColumns = "id, owner_id, content_type, file_name, bytes, sha256, created_at"

    /// Reserves ids for files to store. They are not assigned again, used or not.
    package func reserveMediaIDs(_ count: Int) async throws -> [MediaID] {
        try await database.write { transaction in
            try (0..<count).map { _ in MediaID(rawValue: try transaction.nextID()) }
        }
    }

    /// Writes the rows of `files`, which are on disk: all of them or none. Throws as ``Writer/store(_:by:within:)``.
    package func storeMedia(
        _ files: [NewMedia], by owner: UserID, within quota: MediaQuota? = nil
    ) async throws -> [Media] {
        try await database.write { try Writer($0).store(files, by: owner, within: quota) }
    }

    package func media(_ id: MediaID) async throws -> Media? {
        try await database.read {
            try $0.first("SELECT \(Self.mediaColumns) FROM media WHERE id = ?1", [.media(id)], Media.init(row:))
        }
    }

    /// The file names of those among `ids` that are stored.
    package func fileNames(of ids: [MediaID]) async throws -> Set<String> {
        try await database.read { reader in
            Set(try reader.rows(of: Self.fileNamesQuery.queries(ids.map(SQLValue.media))) { $0.text(0) }.joined())
        }
    }

    private static let fileNamesQuery = ListQuery { "SELECT file_name FROM media WHERE id IN (\($0))" }

    /// Posts, other than deleted ones, that show the file as their content or as their thumbnail: a page of those below
    /// `cursor`, at most `limit` of each kind, unordered.
    package func posts(showing media: MediaID, below cursor: PostID?, limit: Int) async throws -> Page<PostID, PostID> {
        let arguments: [SQLValue] = [.media(media), .integer(cursor?.rawValue ?? .max), .integer(Int64(limit))]
        let lists = try await database.read { reader in
            try reader.rows(
                of: [Self.postsOfMediaQuery, Self.postsOfThumbnailQuery].map { SQLQuery($0, arguments) }
            ) { PostID(rawValue: $0.integer(0)) }
        }
        // If both lists go on, the next page starts where the one that has come less far down ends.
        return Page(items: lists.flatMap(\.self), next: lists.filter { $0.count == limit }.compactMap(\.last).max())
    }

    static let postsOfMediaQuery = """
        SELECT id FROM post WHERE media_id = ?1 AND id < ?2 AND deleted_at IS NULL ORDER BY id DESC LIMIT ?3
        """

    static let postsOfThumbnailQuery = """
        SELECT id FROM post WHERE thumbnail_id = ?1 AND id < ?2 AND deleted_at IS NULL ORDER BY id DESC LIMIT ?3
        """

    /// Returns whether the file is a profile picture, which everybody may see.
    package func isProfilePicture(_ media: MediaID) async throws -> Bool {
        try await database.read { try $0.exists(Self.profilePictureProbe, [.media(media)]) }
    }

    static let profilePictureProbe =
        "SELECT 1 FROM account WHERE picture_id = ?1 AND deleted_at IS NULL AND suspended_at IS NULL"
}

extension MediaStore.Writer {
    /// Writes the rows of `files`, which are on disk. Throws ``GraphError/accountNotFound`` and, if the owner's files
    /// exceed `quota`, ``GraphError/uploadQuotaExceeded(_:)``.
    ///
    /// - Parameter isUpload: false for files that this server has made, which are no event.
    package func store(
        _ files: [NewMedia], by owner: UserID, within quota: MediaQuota?, isUpload: Bool = true
    ) throws -> [Media] {
        try AccountStore.Reader(transaction).requireAccounts([owner])
        try charge(files.map(\.usage).reduce(MediaUsage(), +), to: owner, within: quota)
        for (index, file) in files.enumerated() {
            // Ids of files are reserved before, so the order of commits has a number of its own, which only the
            // first file has: the others belong to it.
            let place = isUpload && index == 0 ? SQLValue.integer(try transaction.nextID()) : .null
            try transaction.execute(
                """
                INSERT INTO media (id, owner_id, content_type, file_name, bytes, sha256, created_at, stored_id)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
                """,
                [
                    .media(file.id), .user(owner), .text(file.contentType), .text(file.fileName),
                    .integer(file.bytes), .blob(file.sha256), .integer(transaction.now), place,
                ])
        }
        return files.map { Media($0, of: owner, at: transaction.now) }
    }
}

extension Media {
    package init(row: any SQLRow) {
        id = MediaID(rawValue: row.integer(0))
        owner = UserID(rawValue: row.integer(1))
        contentType = row.text(2)
        fileName = row.text(3)
        bytes = row.integer(4)
        sha256 = row.blob(5)
        createdAt = row.integer(6)
    }

    init(_ file: NewMedia, of owner: UserID, at createdAt: Int64) {
        id = file.id
        self.owner = owner
        contentType = file.contentType
        fileName = file.fileName
        bytes = file.bytes
        sha256 = file.sha256
        self.createdAt = createdAt
    }
}
