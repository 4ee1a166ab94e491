import Database

/// A commit that finds out whether a server is the primary. A former one, which does not know that it no longer is,
/// waits for a standby that has left it.
enum CommitExamination {
    /// Commits a transaction that leaves nothing behind, and waits for it, and so for a synchronous standby.
    ///
    /// - Parameter deadline: the end of waiting. The connection has no deadline afterwards.
    /// - Throws: ``ServerFailure``; ``PostgreSQLConnection/isOverdue`` tells whether the time was over.
    static func commit(on connection: PostgreSQLConnection, until deadline: ContinuousClock.Instant) throws {
        connection.deadline = deadline
        defer { connection.deadline = nil }
        let id = SQLValue.integer(.random(in: 1...IDSequence.maximum))
        let warnings = connection.warnings
        let results = try connection.exchange([
            ServerCommand("BEGIN"),
            ServerCommand("INSERT INTO node (id, last_group, seen_at) VALUES (?1, 0, 0)", [id]),
            ServerCommand("DELETE FROM node WHERE id = ?1", [id]),
            ServerCommand("COMMIT"),
        ])
        try connection.requireCommitted(results.last, warningsBefore: warnings)
    }
}
