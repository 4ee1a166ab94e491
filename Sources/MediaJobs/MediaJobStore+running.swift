import Database
import SocialGraph

/// Jobs and their workers. A job is taken for a time; a worker that has not come to an end by then has lost it.
extension MediaJobStore {
    /// Returns whether a job has been due since `time`, in milliseconds since 1970.
    package func hasDue(since time: Int64) async throws -> Bool {
        try await database.read { try $0.exists(Self.dueQuery, [.integer(time), .integer(1)]) }
    }

    /// Takes up to `limit` jobs that have been due since `time`. The worker has `lease` milliseconds to bring each to
    /// an end; after that it is due again.
    ///
    /// - Parameter worker: the number of the node.
    package func take(
        limit: Int, dueSince time: Int64, lease: Int64, by worker: Int64
    ) async throws -> [TakenMediaJob] {
        try await database.write { transaction in
            let due = try transaction.rows(
                Self.dueQuery, [.integer(time), .integer(Int64(limit))], TakenMediaJob.init(row:))
            return try due.filter { job in
                // Another node may have taken it since the query.
                try transaction.executeCounting(
                    Self.takeStatement,
                    [
                        .media(job.media.id), .integer(job.attempts), .integer(transaction.now + lease),
                        .integer(worker),
                    ]) > 0
            }
        }
    }

    /// The condition on `turn` holds for every row; it leads PostgreSQL to the index by turn.
    static let dueQuery = """
        SELECT m.id, m.owner_id, m.content_type, m.file_name, m.bytes, m.sha256, m.created_at, j.attempts, j.poster_id
        FROM media_job j JOIN media m ON m.id = j.media_id
        WHERE j.due_at <= ?1 AND j.turn >= 0 ORDER BY j.turn, j.media_id LIMIT ?2
        """

    static let takeStatement = """
        UPDATE media_job SET state = 'running', attempts = ?2, due_at = ?3, worker = ?4
        WHERE media_id = ?1 AND attempts = ?2 - 1
        """

    /// Makes the jobs due that a former process of `worker` had taken. Call it before the first job is taken.
    package func free(from worker: Int64) async throws {
        guard try await database.read({ try $0.exists(Self.takenProbe, [.integer(worker)]) }) else { return }
        try await database.write { transaction in
            try transaction.execute(Self.freeStatement, [.integer(worker), .integer(transaction.now)])
        }
    }

    static let takenProbe = "SELECT 1 FROM media_job WHERE worker = ?1 LIMIT 1"
    static let freeStatement =
        "UPDATE media_job SET state = 'queued', due_at = ?2, worker = NULL WHERE worker = ?1"

    /// Ends an attempt: its results and the end of the job commit together.
    ///
    /// - Returns: false if another worker has the job by now, or its file is gone. Nothing is written then.
    /// - Throws: ``GraphError/accountNotFound`` if the uploader's account is deleted.
    package func finish(_ job: TakenMediaJob, _ outcome: MediaJobOutcome) async throws -> Bool {
        try await database.write { transaction in
            let writer = Writer(transaction)
            switch outcome {
            case .ready(let properties, let poster):
                let values = properties.columns + [.integer(try transaction.nextID())]
                guard try writer.end(job, Self.readyStatement, values) else { return false }
                if let poster { try writer.keep(poster, of: job) }
                return true
            case .failed(let error):
                return try writer.end(
                    job, Self.failedStatement, [.text(error), .integer(try transaction.nextID())])
            case .retry(let time): return try writer.end(job, Self.retryStatement, [.integer(time)])
            case .released:
                return try writer.end(job, Self.releaseStatement, [.integer(transaction.now)])
            }
        }
    }

    private static let isOurs = "WHERE media_id = ?1 AND attempts = ?2 AND state = 'running'"
    static let readyStatement = """
        UPDATE media_job SET state = 'ready', due_at = NULL, worker = NULL, duration = ?3, width = ?4, height = ?5,
            codec = ?6, ready_id = ?7
        \(isOurs)
        """
    static let failedStatement = """
        UPDATE media_job SET state = 'failed', due_at = NULL, worker = NULL, error = ?3, ready_id = ?4 \(isOurs)
        """
    static let retryStatement = "UPDATE media_job SET state = 'queued', worker = NULL, due_at = ?3 \(isOurs)"
    static let releaseStatement = """
        UPDATE media_job SET state = 'queued', worker = NULL, attempts = attempts - 1, due_at = ?3 \(isOurs)
        """
}

extension MediaJobStore.Writer {
    fileprivate func end(_ job: TakenMediaJob, _ statement: String, _ values: [SQLValue]) throws -> Bool {
        try transaction.executeCounting(statement, [.media(job.media.id), .integer(job.attempts)] + values) > 0
    }

    /// Stores the row of a poster. It counts among the uploader's files, but a full quota does not refuse it.
    fileprivate func keep(_ poster: NewMedia, of job: TakenMediaJob) throws {
        _ = try MediaStore.Writer(transaction).store([poster], by: job.media.owner, within: nil, isUpload: false)
        try transaction.execute(
            "UPDATE media_job SET poster_id = ?2 WHERE media_id = ?1", [.media(job.media.id), .media(poster.id)])
    }
}

extension TakenMediaJob {
    /// The attempt that is about to begin counts.
    fileprivate init(row: any SQLRow) {
        media = Media(row: row)
        attempts = row.integer(7) + 1
        hasPoster = row.optionalInteger(8) != nil
    }
}
