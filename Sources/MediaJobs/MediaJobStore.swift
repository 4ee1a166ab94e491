import Database
import SocialGraph

/// The jobs that examine stored videos: a durable queue. The transaction that stores a file also stores its job, and
/// the one that ends the job stores all its results.
package struct MediaJobStore: Sendable {
    let database: any GraphDatabase

    /// Queries on one snapshot.
    package struct Reader {
        let reader: any SQLReader
        package init(_ reader: any SQLReader) { self.reader = reader }
    }

    /// Writes in one transaction.
    package struct Writer {
        let transaction: any GraphTransaction
        package init(_ transaction: any GraphTransaction) { self.transaction = transaction }
    }
}

extension GraphStore {
    package var mediaJobs: MediaJobStore { MediaJobStore(database: database) }
}

extension MediaJobStore {
    /// Writes the rows of `files`, which are on disk, with the job of the first; the second is its poster. Throws as
    /// ``MediaStore/Writer/store(_:by:within:isUpload:)``.
    package func store(
        _ files: [NewMedia], by owner: UserID, within quota: MediaQuota?, _ job: NewMediaJob
    ) async throws -> [Media] {
        try await database.write { transaction in
            let stored = try MediaStore.Writer(transaction).store(files, by: owner, within: quota)
            if let file = stored.first {
                try Writer(transaction).insert(job, of: file, poster: stored.dropFirst().first?.id)
            }
            return stored
        }
    }

    /// Returns the job of a file; nil if it has none, as pictures.
    package func job(of media: MediaID) async throws -> MediaJob? {
        try await database.read { try $0.first(Self.jobQuery, [.media(media)], MediaJob.init(row:)) }
    }

    static let jobQuery = """
        SELECT j.state, j.duration, j.width, j.height, j.codec, j.poster_id, p.file_name, j.error
        FROM media_job j LEFT JOIN media p ON p.id = j.poster_id WHERE j.media_id = ?1
        """

    /// Returns a stored file with its job; nil if there is no such file.
    package func file(_ id: MediaID) async throws -> (media: Media, job: MediaJob?)? {
        try await database.read { reader in
            var found: (media: Media?, job: MediaJob?)
            try reader.fetch([Self.fileQuery, Self.jobQuery].map { SQLQuery($0, [.media(id)]) }) { index, row in
                if index == 0 { found.media = Media(row: row) } else { found.job = try MediaJob(row: row) }
                return false
            }
            return found.media.map { ($0, found.job) }
        }
    }

    static let fileQuery = "SELECT \(MediaStore.mediaColumns) FROM media WHERE id = ?1"

    /// Returns the number of jobs that have not ended.
    package func backlog() async throws -> Int64 {
        try await database.read { try $0.first(Self.backlogQuery, []) { $0.integer(0) } ?? 0 }
    }

    static let backlogQuery = "SELECT COUNT(*) FROM media_job WHERE due_at > 0"
}

extension MediaJobStore.Writer {
    fileprivate func insert(_ job: NewMediaJob, of file: Media, poster: MediaID?) throws {
        let poster = poster.map(SQLValue.media) ?? .null
        switch job {
        case .queued:
            try transaction.execute(
                """
                INSERT INTO media_job (media_id, owner_id, state, turn, due_at, poster_id)
                SELECT ?1, ?2, 'queued', COUNT(*), ?3, ?4 FROM media_job WHERE owner_id = ?2 AND due_at > 0
                """, [.media(file.id), .user(file.owner), .integer(transaction.now), poster])
        case .ready(let properties):
            try transaction.execute(
                """
                INSERT INTO media_job (media_id, owner_id, state, turn, duration, width, height, codec, poster_id,
                    ready_id)
                VALUES (?1, ?2, 'ready', 0, ?3, ?4, ?5, ?6, ?7, ?8)
                """,
                [.media(file.id), .user(file.owner)] + properties.columns + [
                    poster, .integer(try transaction.nextID()),
                ])
        }
    }
}

extension VideoProperties? {
    /// Duration, width, height and codec.
    var columns: [SQLValue] {
        [
            self?.duration.map(SQLValue.real) ?? .null, self.map { .integer(Int64($0.width)) } ?? .null,
            self.map { .integer(Int64($0.height)) } ?? .null, .optional(self?.codec),
        ]
    }
}

extension MediaJob {
    fileprivate init(row: any SQLRow) throws {
        state = try row.choice(0)
        properties = row.optionalText(4).map {
            VideoProperties(
                duration: row.optionalReal(1), width: Int(row.integer(2)), height: Int(row.integer(3)), codec: $0)
        }
        poster = row.optionalInteger(5).map(MediaID.init(rawValue:))
        posterPath = row.optionalText(6).map { Media.folder + $0 }
        error = row.optionalText(7)
    }
}
